import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { buildZip } from '../support/built-zip.ts'
import { runCommand } from '../support/holdall-command.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const ZIP = buildZip(
  Array.from({ length: 30 }, (_, index) => ({
    name: `${index}.bin`,
    content: new Uint8Array(700_000).fill(index),
  })),
)

interface Asked {
  readonly path: string
  readonly start: number
  /** Not included. */
  readonly end: number
  /** 0 for the first request. */
  readonly count: number
}

/** A server that says of each range what it likes. */
function startLiar(
  answer: (asked: Asked) => { body: Uint8Array | string; headers?: Record<string, string>; status?: number },
) {
  let count = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const [, start = '0', last = '0'] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? []
      const asked = {
        path: new URL(request.url).pathname,
        start: Number(start),
        end: Number(last) + 1,
        count: count++,
      }
      const { body, headers = {}, status = 206 } = answer(asked)
      return new Response(body, { status, headers: { etag: '"one"', ...headers } })
    },
  })
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) }
}

/** The right answer. */
const honest = ({ start, end }: Asked) => ({
  body: ZIP.slice(start, end),
  headers: { 'content-range': `bytes ${start}-${Math.min(end, ZIP.length) - 1}/${ZIP.length}` },
})

const pull = (dir: TempDir, link: string, ...args: readonly string[]) =>
  runCommand(['pull', link, '-o', 'a.zip', ...args], { cwd: dir.path })

describe('holdall pull writes no file when a server', () => {
  test.each<[string, (asked: Asked) => string, string]>([
    [
      'names another length with each range, under one tag',
      ({ start, end, count }) => `bytes ${start}-${end - 1}/${ZIP.length + count}`,
      'The file at the link changes while it is downloaded.',
    ],
    [
      'says of a range that it is shorter than it is',
      ({ start }) => `bytes ${start}-${start}/${ZIP.length}`,
      'Malformed response',
    ],
    [
      'says of a range that it ends before it begins',
      ({ start, end, count }) => `bytes ${start}-${count === 0 ? end - 1 : 0}/${ZIP.length}`,
      'Malformed response',
    ],
    [
      'says of a range that it ends after the file',
      ({ start }) => `bytes ${start}-${ZIP.length}/${ZIP.length}`,
      'Malformed response',
    ],
    [
      'has a file that no disk has room for',
      ({ start, end }) => `bytes ${start}-${end - 1}/${2 ** 52}`,
      'has no room for the archive. Free some space and run the same command again, or delete',
    ],
  ])('%s', async (_, contentRange, message) => {
    using dir = tempDir()
    await using liar = startLiar((asked) => ({
      body: ZIP.slice(asked.start, asked.end),
      headers: { 'content-range': contentRange(asked) },
    }))
    const { exitCode, stderr } = await pull(dir, `${liar.url}a.zip`)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(1)
    expect(readdirSync(dir.path).sort()).toEqual(['a.zip.part', 'a.zip.part.json'])
  })

  test.each(['file:///etc/passwd', 'javascript:1', 'http://[', 'data:,x'])(
    'has %s as the link of a share page',
    async (early) => {
      using dir = tempDir()
      await using liar = startLiar(() => ({
        status: 200,
        body: JSON.stringify({ archive: { status: 'processing', early_download_url: early } }),
      }))
      const { exitCode, stderr } = await pull(dir, `${liar.url}share/TOKEN`)
      expect([exitCode, stderr]).toEqual([
        1,
        'holdall: The link could not be fetched: Malformed response. Check the link, or ask for another one.\n',
      ])
      expect(existsSync(dir.file('a.zip'))).toBe(false)
    },
  )
})

test('holdall pull believes nothing that is said of a FILE.part that is gone', async () => {
  using dir = tempDir()
  let isBroken = true
  await using server = startLiar((asked) =>
    isBroken && asked.start > ZIP.length / 2 ? { status: 404, body: '' } : honest(asked),
  )
  expect(await pull(dir, `${server.url}a.zip`)).toMatchObject({ exitCode: 1 })
  expect(JSON.parse(readFileSync(dir.file('a.zip.part.json'), 'utf8')).ranges).not.toEqual([])
  rmSync(dir.file('a.zip.part'))
  isBroken = false
  expect(await pull(dir, `${server.url}a.zip`)).toMatchObject({ exitCode: 0 })
  expect(Buffer.compare(readFileSync(dir.file('a.zip')), ZIP)).toBe(0)
})

/** What somebody else may have put in the place of a file, in a directory that several people write to. */
const OTHERS: readonly [string, (path: string) => unknown][] = [
  ['a link', (path) => symlinkSync('victim', path)],
  ['a pipe', (path) => Bun.spawnSync(['mkfifo', path])],
  ['a directory', (path) => mkdirSync(path)],
]

describe.each(OTHERS)('With %s in the place of', (_what, make) => {
  test.each(['a.zip.part', 'a.zip.part.json', 'a.zip.part.lock'])(
    '%s, holdall pull says which and what to do, and changes nothing',
    async (name) => {
      using dir = tempDir()
      writeFileSync(dir.file('victim'), 'kept')
      make(dir.file(name))
      const before = lstatSync(dir.file(name)).ino
      await using server = startLiar(honest)
      const { exitCode, stderr } = await pull(dir, `${server.url}a.zip`)
      expect([exitCode, stderr]).toEqual([
        1,
        `holdall: ${dir.file(name)} is in the way: it is not a regular file. Move it away, or choose another file with -o.\n`,
      ])
      expect(lstatSync(dir.file(name)).ino).toBe(before)
      expect(readFileSync(dir.file('victim'), 'utf8')).toBe('kept')
    },
  )
})

test('holdall pull reads no body of an older archive again and again, although both directories say so', async () => {
  using dir = tempDir()
  // All are at the place of the first one. None has the CRC-32 that the directories name.
  const overlapping = (count: number) =>
    buildZip([
      { name: 'all.bin', content: new Uint8Array(4_000_000).fill(1) },
      ...Array.from({ length: count }, (_, index) => ({
        name: `${index}.bin`,
        central: { offset: 0, compressedBytes: 4_000_000, sizeBytes: 4_000_000, crc32: index },
      })),
    ])
  const [many, few] = [overlapping(15_000), overlapping(1)]
  const pulled = async (bytes: Uint8Array<ArrayBuffer>) => {
    writeFileSync(dir.file('old.zip'), bytes)
    await using server = startLiar(({ start, end }) => ({
      body: bytes.slice(start, end),
      headers: { 'content-range': `bytes ${start}-${Math.min(end, bytes.length) - 1}/${bytes.length}` },
    }))
    const { exitCode } = await pull(dir, `${server.url}a.zip`, '--have', 'old.zip')
    expect(exitCode).toBe(0)
    expect(Buffer.compare(readFileSync(dir.file('a.zip')), bytes)).toBe(0)
  }
  await pulled(few)
  // 60 GB, if each were read.
  await pulled(many)
})
