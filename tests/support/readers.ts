import { deepStrictEqual, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { javaCommand } from './java-command.ts'
import { PYTHON } from './python.ts'
import { sha256 } from './sha256.ts'

/** An entry that a reader must find. */
export interface ExpectedEntry {
  readonly name: string
  readonly sha256: string
  readonly sizeBytes: number
}

/**
 * Expects that common ZIP readers find exactly these entries, in this order and undamaged: Info-ZIP's unzip and
 * Python's zipfile, and if they are installed also 7-Zip, libarchive (from a file and from a pipe, where it uses only
 * the local headers) and Java (ZipFile uses the central directory, ZipInputStream the local headers).
 */
export async function expectReadable(zipPath: string, expected: readonly ExpectedEntry[]): Promise<void> {
  const readers = [unzip, python, sevenZip, libarchive, java].map((read) => read(zipPath, expected))
  await Promise.all(readers)
}

/** An entry that a reader must list. */
export type ListedEntry = Pick<ExpectedEntry, 'name' | 'sizeBytes'>

/**
 * Expects that the same readers list exactly these entries in this order. It is fast even for huge bodies, because no
 * reader reads them: libarchive also reads the local headers, but seeks past each body.
 */
export async function expectListed(zipPath: string, expected: readonly ListedEntry[]): Promise<void> {
  const rows = expected.map(({ name, sizeBytes }) => `${sizeBytes} ${name}`)
  const list = async (tool: string, command: () => string[], row: RegExp) => {
    if (Bun.which(tool) === null) return
    const output = await run([...command(), zipPath])
    const found = lines(output).flatMap((line) => {
      const [, size, name] = row.exec(line) ?? []
      return name === undefined ? [] : [`${size} ${name}`]
    })
    deepStrictEqual(found, rows, tool)
  }
  const python = async () => {
    const found = await run([PYTHON, join(import.meta.dir, 'readers/list_zip.py'), zipPath])
    deepStrictEqual(JSON.parse(found), expected)
  }
  await Promise.all([
    python(),
    list('unzip', () => ['unzip', '-Z', '-s', '-h-t'], /^-\S+\s+\S+ \S+\s+(\d+) .* (\S+)$/),
    list('7z', () => ['7z', 'l', '-ba'], /^\S+ \S+ \S+\s+(\d+)\s+\d+\s+(\S+)$/),
    list('bsdtar', () => ['bsdtar', '-tvf'], /^-\S+\s+\S+ \S+\s+\S+\s+(\d+) .* (\S+)$/),
    list('java', () => javaCommand('ListZip'), /^(\d+) (.*)$/),
  ])
}

async function unzip(zipPath: string): Promise<void> {
  await run(['unzip', '-tqq', zipPath])
}

/** Checks the order, names and contents, and that each local header agrees with the central directory. */
async function python(zipPath: string, expected: readonly ExpectedEntry[]): Promise<void> {
  const found = await run([PYTHON, join(import.meta.dir, 'readers/read_zip.py'), zipPath])
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
  // In a pipe it cannot seek to the central directory.
  const piped = lines(await run(['sh', '-c', 'cat "$1" | bsdtar -tf -', 'sh', zipPath], utf8))
  // It lists entries in the order of their offsets, not in the order of the central directory.
  for (const found of [listed, piped]) deepStrictEqual(found.toSorted(), names.toSorted())
}

async function java(zipPath: string, expected: readonly ExpectedEntry[]): Promise<void> {
  if (Bun.which('java') === null) return
  const report = await run([...javaCommand('ReadZip'), zipPath])
  const row = (entry: ExpectedEntry) => `${entry.sizeBytes} ${sha256(entry.name)} ${entry.sha256}`
  const [fromDirectory = '', fromHeaders = ''] = report.split('--\n')
  deepStrictEqual(lines(fromDirectory), expected.map(row))
  deepStrictEqual(lines(fromHeaders).toSorted(), expected.map(row).toSorted())
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** @returns standard output; throws with all output if the reader fails */
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
  if (exitCode !== 0) throw new Error(`${command[0]} rejects the archive (${exitCode}): ${stdout}${stderr}`)
  return stdout
}
