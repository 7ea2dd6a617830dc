import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type BuiltEntry, buildZip } from '../../support/built-zip.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { sha256 } from '../../support/sha256.ts'
import { startTcpServer } from '../../support/tcp-server.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'

const FILE_BYTES = 400_000
const random = (seed: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(FILE_BYTES)
  let state = seed + 1
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes.writeUInt32LE(state, at)
  }
  return bytes
}
const text = (seed: number) => random(seed).toString('hex').slice(0, FILE_BYTES)
const entriesOf = (seeds: readonly number[]): BuiltEntry[] =>
  seeds.map((seed) =>
    seed % 5 === 0
      ? { name: `text ${seed}.txt`, content: text(seed), method: 8 }
      : { name: `${seed}.bin`, content: random(seed) },
  )
const SEEDS = Array.from({ length: 40 }, (_, index) => index)
const ZIP = buildZip(entriesOf(SEEDS))

/** What the server does. */
let served = {
  bytes: ZIP,
  etag: '"one"' as string | null,
  hasRanges: true,
  refusesFrom: Number.POSITIVE_INFINITY,
}
let sentBytes = 0
let requests: Request[] = []
beforeEach(() => {
  served = { bytes: ZIP, etag: '"one"', hasRanges: true, refusesFrom: Number.POSITIVE_INFINITY }
  sentBytes = 0
  requests = []
})

const bucket = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => respond(request) })
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/to-bucket': () => Response.redirect(`${bucket.url}a.zip`, 307),
    '/download/TOKEN/archive': () => Response.json({ success: true, archive: { status: 'completed' } }),
    '/download/LATER/archive': () => Response.json({ success: true, archive: { status: 'pending' } }),
    '/download/EARLY/archive': () =>
      Response.json({ archive: { status: 'processing', early_download_url: '/a.zip' } }),
    '/page': () =>
      new Response('<h1>This link has expired</h1>', { headers: { 'content-type': 'text/html' } }),
  },
  fetch: (request) => respond(request),
})
afterAll(async () => {
  await Promise.all([server.stop(true), bucket.stop(true)])
})

function respond(request: Request): Response {
  requests.push(request)
  const { bytes, etag, hasRanges, refusesFrom } = served
  const headers = { 'content-type': 'application/zip', ...(etag === null ? {} : { etag }) }
  const ifRange = request.headers.get('if-range')
  const [, first, last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? []
  if (Number(first) >= refusesFrom) return new Response(null, { status: 404 })
  const isRange = hasRanges && first !== undefined && (ifRange === null || ifRange === etag)
  const end = last === '' ? bytes.length : Math.min(Number(last) + 1, bytes.length)
  const sent = isRange ? bytes.slice(Number(first), end) : bytes
  sentBytes += sent.length
  if (!isRange) return new Response(sent, { headers })
  const range = { 'content-range': `bytes ${first}-${end - 1}/${bytes.length}` }
  return new Response(sent, { status: 206, headers: { ...headers, ...range } })
}

const pull = (dir: TempDir, ...args: readonly string[]) => runCommand(['pull', ...args], { cwd: dir.path })
const link = (path = 'a.zip') => `${server.url}${path}`

function expectArchive(dir: TempDir, bytes: Uint8Array): void {
  expect(readdirSync(dir.path).filter((name) => name !== 'old.zip')).toEqual(['new.zip'])
  expect(Buffer.compare(readFileSync(dir.file('new.zip')), bytes)).toBe(0)
}

describe('holdall pull', () => {
  test('downloads an archive over several connections, and leaves no other file', async () => {
    using dir = tempDir()
    const { exitCode, stderr } = await pull(dir, link(), '-o', 'new.zip')
    expect(stderr).toEndWith(`new.zip: 14.53 MB, 14.53 MB fetched\n`)
    expect(exitCode).toBe(0)
    expectArchive(dir, ZIP)
    expect(requests.length).toBeGreaterThan(2)
    expect(sentBytes).toBeLessThan(ZIP.length + 10)
  })

  test.each([
    ['without ranges', { hasRanges: false }, 'a.zip'],
    ['without an entity tag', { etag: null }, 'a.zip'],
    ['with a weak entity tag', { etag: 'W/"one"' }, 'a.zip'],
    ['that redirects to a bucket', {}, 'to-bucket'],
    ['by the link of its share page', {}, 'share/TOKEN'],
    ['by the link of the share page of an archive that is being packed', {}, 'share/EARLY'],
  ])('downloads an archive from a server %s', async (_, settings, path) => {
    using dir = tempDir()
    served = { ...served, ...settings }
    expect(await pull(dir, link(path), '-o', 'new.zip')).toMatchObject({ exitCode: 0 })
    expectArchive(dir, ZIP)
  })

  test('receives no faster than --limit-rate', async () => {
    using dir = tempDir()
    const startedMs = performance.now()
    expect(await pull(dir, link(), '-o', 'new.zip', '--limit-rate', '10M')).toMatchObject({ exitCode: 0 })
    // Who sets it needs the rest of the line: 14.5 MB, of which some may come at once.
    expect(performance.now() - startedMs).toBeGreaterThan(1_200)
    expectArchive(dir, ZIP)
  })

  test('continues after a failure, and leaves no FILE until then', async () => {
    using dir = tempDir()
    served = { ...served, refusesFrom: ZIP.length / 2 }
    const failed = await pull(dir, link(), '-o', 'new.zip')
    expect(failed.stderr).toContain('holdall: The link could not be fetched: HTTP 404. Check the link')
    expect(failed.exitCode).toBe(1)
    expect(existsSync(dir.file('new.zip'))).toBe(false)
    expect(existsSync(dir.file('new.zip.part'))).toBe(true)
    const state = readFileSync(dir.file('new.zip.part.json'), 'utf8')
    expect(state).not.toContain(link())
    const ranges: readonly { start: number; end: number }[] = JSON.parse(state).ranges
    const kept = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
    expect(kept).toBeGreaterThan(0)
    const before = sentBytes
    served = { ...served, refusesFrom: Number.POSITIVE_INFINITY }
    expect(await pull(dir, link(), '-o', 'new.zip')).toMatchObject({ exitCode: 0 })
    expectArchive(dir, ZIP)
    expect(sentBytes - before).toBeLessThan(ZIP.length - kept + 10)
  })

  test('starts over when the archive has changed meanwhile', async () => {
    using dir = tempDir()
    served = { ...served, refusesFrom: ZIP.length / 2 }
    await pull(dir, link(), '-o', 'new.zip')
    const other = buildZip(entriesOf(SEEDS.map((seed) => seed + 100)))
    served = { bytes: other, etag: '"two"', hasRanges: true, refusesFrom: Number.POSITIVE_INFINITY }
    expect(await pull(dir, link(), '-o', 'new.zip')).toMatchObject({ exitCode: 0 })
    expectArchive(dir, other)
  })

  test('fetches at most 5 % of an archive of which an older one has all but 3 %', async () => {
    using dir = tempDir()
    writeFileSync(dir.file('old.zip'), ZIP)
    const changed = buildZip(entriesOf([100, ...SEEDS.toReversed().filter((seed) => seed !== 7)]), {
      zip64: {},
    })
    served = { ...served, bytes: changed }
    const { exitCode, stderr } = await pull(dir, link(), '-o', 'new.zip', '--have', 'old.zip')
    expect(stderr).toMatch(/ copied from the older archive\n$/)
    expect(exitCode).toBe(0)
    expectArchive(dir, changed)
    expect(sentBytes).toBeLessThan(changed.length * 0.05)
  })

  test('copies no entry that is damaged in the older archive', async () => {
    using dir = tempDir()
    const damaged = ZIP.slice()
    for (const at of [500_000, 10_500_000]) damaged[at] = (damaged[at] ?? 0) ^ 1
    writeFileSync(dir.file('old.zip'), damaged)
    expect(await pull(dir, link(), '-o', 'new.zip', '--have', 'old.zip')).toMatchObject({ exitCode: 0 })
    expectArchive(dir, ZIP)
    expect(sentBytes).toBeGreaterThan(400_000)
    expect(sentBytes).toBeLessThan(ZIP.length / 4)
  })

  test('copies no entry whose SHA-256 is not the one in SHA256SUMS, although its CRC-32 is right', async () => {
    using dir = tempDir()
    const content = random(1)
    const forged = Buffer.from(content)
    // The polynomial of CRC-32, bit by bit from x^32 on: XORed into a text, it changes no remainder.
    for (const [index, byte] of [0x41, 0x06, 0x71, 0xdb, 0x01].entries())
      forged[200_000 + index] = (forged[200_000 + index] ?? 0) ^ byte
    expect(crc32(forged)).toBe(crc32(content))
    const sums = { name: 'SHA256SUMS', content: `${sha256(content)}  a.bin\n` }
    served = { ...served, bytes: buildZip([{ name: 'a.bin', content }, sums]) }
    writeFileSync(dir.file('old.zip'), buildZip([{ name: 'a.bin', content: forged }]))
    expect(await pull(dir, link(), '-o', 'new.zip', '--have', 'old.zip')).toMatchObject({ exitCode: 0 })
    expectArchive(dir, served.bytes)
  })

  test('follows an archive that is being packed, over broken lines, to its end', async () => {
    using dir = tempDir()
    const starts: number[] = []
    const cuts = [5_000_000, 9_000_000]
    await using early = await startTcpServer((socket) => {
      socket.once('data', (request) => {
        const start = Number(/range: bytes=(\d+)-/i.exec(request.toString('latin1'))?.[1])
        const end = cuts[starts.length] ?? ZIP.length
        starts.push(start)
        socket.write(
          `HTTP/1.1 206 Partial Content\r\netag: "early"\r\ncontent-range: bytes ${start}-9223372036854775806/*\r\ntransfer-encoding: chunked\r\n\r\n`,
        )
        const body = ZIP.subarray(start, end)
        socket.write(`${body.length.toString(16)}\r\n`)
        socket.write(body)
        socket.end(end === ZIP.length ? '\r\n0\r\n\r\n' : '')
      })
    })
    expect(await pull(dir, `http://${early.host}/a.zip`, '-o', 'new.zip')).toMatchObject({ exitCode: 0 })
    expectArchive(dir, ZIP)
    expect(starts).toEqual([0, ...cuts])
  })

  test.each([
    ['a page', 'page', 'The link brings no ZIP file that is whole. Check the link, or ask for another one.'],
    [
      'nothing yet',
      'share/LATER',
      'This archive is not ready, or will never be. Open the link in a browser to see.',
    ],
  ])('says when the link brings %s', async (_, path, message) => {
    using dir = tempDir()
    const { exitCode, stderr } = await pull(dir, link(path), '-o', 'new.zip')
    expect(stderr).toBe(`holdall: ${message}\n`)
    expect(exitCode).toBe(1)
    expect(existsSync(dir.file('new.zip'))).toBe(false)
  })

  test.each([
    ['that is longer than any disk', () => `bytes 0-0/${2 ** 52}`],
    ['whose length is too large to count', () => `bytes 0-0/${'9'.repeat(30)}`],
    ['that never ends', () => `bytes 0-0/${ZIP.length}`],
  ])('ends soon when a server lies about a range %s', async (_what, contentRange) => {
    using dir = tempDir()
    const stop = new AbortController()
    await using liar = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const [, first = '0'] = /^bytes=(\d+)-/.exec(request.headers.get('range') ?? '') ?? []
        const headers = { etag: '"one"', 'content-range': contentRange().replace('0-0', `${first}-${first}`) }
        const endless = new ReadableStream({
          async pull(controller) {
            controller.enqueue(new Uint8Array(65_536))
            if (stop.signal.aborted) controller.close()
          },
        })
        return new Response(first === '0' ? endless : new Uint8Array(1), { status: 206, headers })
      },
    })
    const { exitCode, stderr } = await runCommand(['pull', `${liar.url}a.zip`, '-o', dir.file('a.zip')])
    stop.abort()
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^holdall: .+\n$/)])
    expect(existsSync(dir.file('a.zip'))).toBe(false)
  })

  test('needs a permission for a private address that the link redirects to', async () => {
    using dir = tempDir()
    const elsewhere = Bun.serve({ port: 0, hostname: '127.0.0.2', fetch: (request) => respond(request) })
    const redirecting = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.redirect(`${elsewhere.url}a.zip`),
    })
    const refused = await pull(dir, `${redirecting.url}`, '-o', 'new.zip')
    expect(refused.stderr).toContain(
      'Address not allowed. It redirects to a private address: allow its network',
    )
    expect(refused.exitCode).toBe(1)
    const args = [`${redirecting.url}`, '-o', 'new.zip', '--allow-network', '127.0.0.2/32']
    expect(await pull(dir, ...args)).toMatchObject({ exitCode: 0 })
    await Promise.all([elsewhere.stop(true), redirecting.stop(true)])
  })

  test.each([
    ['no link', ['-o', 'new.zip'], 'Expected LINK.'],
    ['a link of another scheme', ['ftp://127.0.0.1/a.zip', '-o', 'new.zip'], 'LINK: expected a link'],
    ['no file', ['http://127.0.0.1/a.zip'], '-o: expected the file to write to'],
    ['a directory', ['http://127.0.0.1/a.zip', '-o', '.'], '-o: expected a file, not a directory'],
    [
      'no old archive',
      ['http://127.0.0.1/', '-o', 'n', '--have', 'nope'],
      '--have: expected a ZIP file that can be',
    ],
  ])('refuses %s, with exit code 2', async (_, args, message) => {
    using dir = tempDir()
    const { exitCode, stderr } = await pull(dir, ...args)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
    expect(readdirSync(dir.path)).toEqual([])
  })
})
