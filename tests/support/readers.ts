import { deepStrictEqual, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { sha256 } from './origin/deterministic-bytes.ts'

/** An entry as a reader must find it. */
export interface ExpectedEntry {
  readonly name: string
  readonly sha256: string
  readonly sizeBytes: number
}

/**
 * Fails unless other people's readers find exactly these entries in this order in a ZIP, whole: Info-ZIP's unzip
 * and Python's zipfile, and where they are installed 7-Zip, libarchive (from a file and from a pipe, where only
 * the local headers count) and Java (ZipFile reads the central directory, ZipInputStream the local headers).
 */
export async function expectReadable(zipPath: string, expected: readonly ExpectedEntry[]): Promise<void> {
  const readers = [unzip, python, sevenZip, libarchive, java].map((read) => read(zipPath, expected))
  await Promise.all(readers)
}

/** An entry as a reader must list it. */
export type ListedEntry = Pick<ExpectedEntry, 'name' | 'sizeBytes'>

/**
 * Fails unless the same readers list exactly these entries in this order. Cheap however large the bodies are: only
 * libarchive, which skips them by seeking, goes from one local header to the next, too.
 */
export async function expectListed(zipPath: string, expected: readonly ListedEntry[]): Promise<void> {
  const rows = expected.map(({ name, sizeBytes }) => `${sizeBytes} ${name}`)
  const list = async (tool: string, args: readonly string[], row: RegExp) => {
    if (Bun.which(tool) === null) return
    const output = await run([tool, ...args, zipPath])
    const found = lines(output).flatMap((line) => {
      const [, size, name] = row.exec(line) ?? []
      return name === undefined ? [] : [`${size} ${name}`]
    })
    deepStrictEqual(found, rows, tool)
  }
  const python = async () => {
    const found = await run(['python3', join(import.meta.dir, 'readers/list_zip.py'), zipPath])
    deepStrictEqual(JSON.parse(found), expected)
  }
  await Promise.all([
    python(),
    list('unzip', ['-Z', '-s', '-h-t'], /^-\S+\s+\S+ \S+\s+(\d+) .* (\S+)$/),
    list('7z', ['l', '-ba'], /^\S+ \S+ \S+\s+(\d+)\s+\d+\s+(\S+)$/),
    list('bsdtar', ['-tvf'], /^-\S+\s+\S+ \S+\s+\S+\s+(\d+) .* (\S+)$/),
    list('java', ['-Xshare:auto', join(import.meta.dir, 'readers/ListZip.java')], /^(\d+) (.*)$/),
  ])
}

async function unzip(zipPath: string): Promise<void> {
  await run(['unzip', '-tqq', zipPath])
}

/** Names in the directory's order, contents, and no local header that disagrees with the directory. */
async function python(zipPath: string, expected: readonly ExpectedEntry[]): Promise<void> {
  const found = await run(['python3', join(import.meta.dir, 'readers/read_zip.py'), zipPath])
  deepStrictEqual(JSON.parse(found), expected)
}

async function sevenZip(zipPath: string): Promise<void> {
  if (Bun.which('7z') === null) return
  const report = await run(['7z', 't', '-bd', zipPath])
  match(report, /Everything is Ok/)
  ok(!report.includes('Warning'), report)
}

async function libarchive(zipPath: string, expected: readonly ExpectedEntry[]): Promise<void> {
  if (Bun.which('bsdtar') === null) return
  const names = expected.map(({ name }) => name)
  const utf8 = { LC_ALL: 'C.UTF-8' }
  const listed = lines(await run(['bsdtar', '-tf', zipPath], utf8))
  // A pipe and no file, in which it could seek.
  const piped = lines(await run(['sh', '-c', 'cat "$1" | bsdtar -tf -', 'sh', zipPath], utf8))
  // Either way they come in the order in which they lie in the file.
  for (const found of [listed, piped]) deepStrictEqual(found.toSorted(), names.toSorted())
}

async function java(zipPath: string, expected: readonly ExpectedEntry[]): Promise<void> {
  if (Bun.which('java') === null) return
  const report = await run(['java', '-Xshare:auto', join(import.meta.dir, 'readers/ReadZip.java'), zipPath])
  const row = (entry: ExpectedEntry) => `${entry.sizeBytes} ${sha256(entry.name)} ${entry.sha256}`
  const [fromDirectory = '', fromHeaders = ''] = report.split('--\n')
  deepStrictEqual(lines(fromDirectory), expected.map(row))
  deepStrictEqual(lines(fromHeaders).toSorted(), expected.map(row).toSorted())
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** @returns standard output; fails with what the reader said unless it is content */
async function run(command: string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const child = Bun.spawn(command, {
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ])
  if (exitCode !== 0) throw new Error(`${command[0]} refuses the archive (${exitCode}): ${stdout}${stderr}`)
  return stdout
}
