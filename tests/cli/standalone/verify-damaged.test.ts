// test group: long
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { forFile } from '../../support/for-file.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { expectedBytes } from '../../support/origin.ts'
import { PYTHON } from '../../support/python.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { DAMAGES, LINK, NOISE, OTHER, TEXT, UTF8, type ZipMaker } from '../../support/zip-damages.ts'
import { findRecords } from '../../support/zip-records.ts'

const dir = forFile(tempDir())
mkdirSync(dir.file('files/sub'), { recursive: true })
writeFileSync(dir.file(TEXT), Array.from({ length: 9_000 }, (_, line) => `line ${line}\n`).join(''))
writeFileSync(dir.file(UTF8), 'text '.repeat(50_000))
writeFileSync(dir.file(NOISE), expectedBytes(60_000))
writeFileSync(dir.file(OTHER), expectedBytes(20_000, 2))
writeFileSync(dir.file('files/empty'), '')
symlinkSync('noise.bin', dir.file(LINK))

/**
 * Programs that make archives. Python, 7-Zip and libarchive are needed by other tests, too; the others are tried where they are installed.
 */
const MAKERS = {
  'Info-ZIP': ['zip', '-qry', 'OUT', 'files'],
  'Info-ZIP, which follows links': ['zip', '-qr', 'OUT', 'files'],
  'Info-ZIP, to a pipe': ['zip', '-qr', '-', 'files'],
  '7-Zip': ['7z', 'a', '-bso0', '-tzip', 'OUT', 'files'],
  Python: [PYTHON, '-m', 'zipfile', '-c', 'OUT', 'files'],
  libarchive: ['bsdtar', '-a', '-cf', 'OUT', 'files'],
  Java: ['jar', 'cf', 'OUT', 'files'],
  Holdall: [],
} as const satisfies Readonly<Record<ZipMaker | `Info-ZIP, ${string}`, readonly string[]>>
type Maker = keyof typeof MAKERS

const isThere = (maker: Maker) => MAKERS[maker][0] === undefined || Bun.which(MAKERS[maker][0]) !== null

const made = new Map<Maker, Promise<Buffer>>()

/** An archive of the same files by each program, which is made once. */
function archiveOf(maker: Maker): Promise<Buffer> {
  const known = made.get(maker) ?? make(maker)
  made.set(maker, known)
  return known
}

async function make(maker: Maker): Promise<Buffer> {
  const path = dir.file(`${maker}.zip`)
  if (maker === 'Holdall') await packWithHoldall(path)
  else {
    const command = MAKERS[maker].map((argument) => (argument === 'OUT' ? path : argument))
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
      cwd: dir.path,
      env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    })
    if (exitCode !== 0) throw new Error(`${maker} made no archive: ${stderr}`)
    if (stdout.length > 0) writeFileSync(path, stdout)
  }
  return readFileSync(path)
}

async function packWithHoldall(path: string): Promise<void> {
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => new Response(Bun.file(dir.file(decodeURIComponent(new URL(url).pathname.slice(1))))),
  })
  const lines = [TEXT, NOISE, OTHER, UTF8].map(
    (name) => `${new URL(encodeURI(name), server.url).href}\t${name}\n`,
  )
  const args = ['zip', '--manifest', '--allow-network', '127.0.0.0/8', '-o', path, '-i', '-']
  const { exitCode, stderr } = await runCommand(args, { stdin: lines.join('') })
  if (exitCode !== 0) throw new Error(`Holdall made no archive: ${stderr}`)
}

async function verified(zip: Uint8Array) {
  using own = tempDir()
  writeFileSync(own.file('a.zip'), zip)
  const { exitCode, stdout } = await runCommand(['verify', '--json', 'a.zip'], { cwd: own.path })
  const { ok, findings }: { ok: boolean; findings: { code: string; entry: string | null }[] } =
    JSON.parse(stdout)
  return {
    exitCode,
    ok,
    found: [...new Set(findings.map(({ code, entry }) => (entry === null ? code : `${code} ${entry}`)))],
  }
}

describe('holdall verify finds an archive right', () => {
  const makers = Object.keys(MAKERS) as Maker[]
  test.each(makers.filter(isThere))('of %s', async (maker) => {
    expect(await verified(await archiveOf(maker))).toEqual({ exitCode: 0, ok: true, found: [] })
  })
})

describe('holdall verify finds what is damaged', () => {
  test.each(DAMAGES.filter(([maker]) => isThere(maker)))('%s: %s', async (maker, _what, damage, expected) => {
    const zip = Buffer.from(await archiveOf(maker))
    const records = findRecords(zip)
    const { exitCode, ok, found } = await verified(damage(zip, records) ?? zip)
    const codes = typeof expected === 'function' ? expected(records) : expected
    expect(found.toSorted()).toEqual(codes.toSorted())
    expect([exitCode, ok]).toEqual([1, false])
  })
})
