import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startGatedSource } from '../support/gated-source.ts'
import { killDownload } from '../support/kill-download.ts'
import { sendRaw } from '../support/raw-request.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { sha256, sha256OfFile } from '../support/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const source = forFile(startGatedSource())
const service = forFile(await startService())

const BODY_BYTES = 200_000
let lists = 0

/** A running job of three files. The first one is there, the others come when the test lets them. */
async function begun(firstBytes = BODY_BYTES, otherBytes = BODY_BYTES) {
  const [first, second, third] = [`a${lists}.bin`, `b${lists}.bin`, `c${lists++}.bin`]
  source.release(first)
  const urls = [source.url(first, firstBytes), ...[second, third].map((name) => source.url(name, otherBytes))]
  const id: string = await service.createJob({ urls })
  const job: ReplyBody = (await service.request('GET', `/jobs/${id}`)).body.job
  return { id, url: job.early_download_url as string, second, third, rest: [second, third] }
}

const sizeOf = (path: string) => Bun.file(path).size
const curl = (url: string, path: string, ...options: string[]) =>
  Bun.spawn(['curl', '-sS', ...options, '-o', path, url], { stderr: 'ignore' })
const finished = async (id: string) => await service.jobIn(id, ['completed', 'failed'])
const get = (url: string, headers: Readonly<Record<string, string>> = {}) => fetch(url, { headers })

describe('While it is packed: early_download_url', () => {
  test('is there while the job is pending or processing, and is the ordinary link afterwards', async () => {
    const { id, url, rest } = await begun()
    const shared = await fetch(`${url}/archive`)
    expect(((await shared.json()) as ReplyBody).archive).toMatchObject({
      status: 'processing',
      early_download_url: url,
    })
    using early = await headOf(url)
    expect([early.status, early.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(early.headers.get('content-length')).toBeNull()
    expect(early.headers.get('last-modified')).toBeNull()
    source.release(...rest)
    const job = await finished(id)
    expect(job).not.toContainKey('early_download_url')
    const [whole, ordinary] = [await get(url), await get(job.download_url)]
    expect(whole.headers.get('etag')).toBe(early.headers.get('etag'))
    expect(await whole.bytes()).toEqual(await ordinary.bytes())
    expect(((await (await fetch(`${url}/archive`)).json()) as ReplyBody).archive).not.toContainKey(
      'early_download_url',
    )
  })

  test('sends what is settled at once, then the rest as it comes, and ends with the finished archive', async () => {
    using dir = tempDir()
    const { id, url, second, third } = await begun()
    const path = dir.file('a.zip')
    const download = curl(url, path, '--no-buffer')
    await until('more than the first body has come', () => sizeOf(path) > BODY_BYTES)
    source.release(third)
    await until('the third body is packed', async () => {
      const { body } = await service.request('GET', `/jobs/${id}`)
      return body.job.file_count === 2
    })
    expect(sizeOf(path)).toBeLessThan(2 * BODY_BYTES)
    source.release(second)
    expect(await download.exited).toBe(0)
    const job = await finished(id)
    expect(await sha256OfFile(path)).toBe(sha256(await (await get(job.download_url)).bytes()))
  })

  test('to HEAD, several ranges and the last bytes gives 200 without a range', async () => {
    const { id, url } = await begun()
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-range')]).toEqual([200, null])
    for (const range of ['bytes=-5', 'bytes=0-1,5-6', 'bytes=9-2', 'lines=1-2']) {
      using answer = await headOf(url, { range })
      expect([range, answer.status, answer.headers.get('content-range')]).toEqual([range, 200, null])
    }
    await service.request('DELETE', `/jobs/${id}`)
  })

  test('to a client of HTTP/1.0 without Host gives 503 while it is packed, as it could take a break for the end', async () => {
    const { id, url } = await begun()
    const ask = async (path: string, ...fields: string[]) =>
      (await sendRaw(service.origin, { line: `GET ${path} HTTP/1.0`, fields }))?.status
    const { pathname } = new URL(url)
    expect(await ask(pathname)).toBe(503)
    expect(await ask(`${pathname}?a=b`, 'Range: bytes=5-')).toBe(503)
    // All other requests without Host get what they get everywhere.
    expect(await ask(`${pathname}/archive`)).toBe(400)
    expect(await ask(`${pathname}x`)).toBe(400)
    expect(await ask(pathname, 'Host: ')).toBe(400)
    await service.request('DELETE', `/jobs/${id}`)
    expect(await ask(pathname)).toBe(400)
  })

  test.each(['bytes=1000-', 'bytes=1000-1999', 'bytes = 1000 -'])(
    'to %s gives a 206 that is open to the end (RFC 8673)',
    async (range) => {
      const { id, url, rest } = await begun()
      const answer = await get(url, { range })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([
        206,
        'bytes 1000-9223372036854775806/*',
      ])
      source.release(...rest)
      const bytes = await answer.bytes()
      await finished(id)
      expect(bytes).toEqual((await (await get(url)).bytes()).subarray(1000))
    },
  )

  test('to Chromium names a length that no archive has, since it takes no other and deletes what it has', async () => {
    const { id, url } = await begun()
    using whole = await headOf(url)
    const request = {
      range: 'bytes=1000-',
      'if-range': whole.headers.get('etag') ?? '',
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    }
    using part = await headOf(url, request)
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      'bytes 1000-9223372036854775806/9223372036854775807',
    ])
    await service.request('DELETE', `/jobs/${id}`)
  })

  test('to Firefox has no date and no known length when it is complete, if it had none when the download began', async () => {
    const { id, url, rest } = await begun()
    using early = await headOf(url)
    source.release(...rest)
    const { zip_size } = await finished(id)
    const request = {
      range: 'bytes=1000-',
      'if-match': early.headers.get('etag') ?? '',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
    }
    const shown = ({ status, headers }: Response) => [
      status,
      ...['content-range', 'content-length', 'last-modified'].map((name) => headers.get(name)),
    ]
    const length = String(zip_size - 1000)
    const part = await get(url, request)
    expect(shown(part)).toEqual([206, `bytes 1000-${zip_size - 1}/*`, length, null])
    // A download that begins now has both.
    const { headers } = await get(url)
    const date = headers.get('last-modified') ?? ''
    const later = await get(url, { ...request, 'if-unmodified-since': date })
    expect(shown(later)).toEqual([206, `bytes 1000-${zip_size - 1}/${zip_size}`, length, date])
  })

  test('obeys the conditions of a request', async () => {
    const { id, url } = await begun()
    using whole = await headOf(url)
    const etag = whole.headers.get('etag') ?? ''
    const range = 'bytes=1000-'
    const statuses = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-match': '"other"' }, 412],
      [{ range, 'if-range': etag }, 206],
      [{ range, 'if-range': '"other"' }, 200],
      [{ range, 'if-range': new Date().toUTCString() }, 200],
      [{ 'if-modified-since': new Date().toUTCString() }, 200],
    ] as const
    for (const [headers, status] of statuses) {
      using answer = await headOf(url, headers)
      expect([headers, answer.status]).toEqual([headers, status])
    }
    await service.request('DELETE', `/jobs/${id}`)
  })

  test.each([
    ['curl', ['curl', '-sS', '-C', '-', '-o']],
    ['wget', ['wget', '-q', '-c', '-O']],
  ])('goes on after a cut line with %s, and the file is the finished archive', async (_client, command) => {
    using dir = tempDir()
    const { id, url, rest } = await begun(2_000_000)
    const path = dir.file('a.zip')
    expect(await killDownload([...command, path, url])).toBe('SIGXFSZ')
    expect(sizeOf(path)).toBeGreaterThan(0)
    const again = Bun.spawn([...command, path, url], { stdio: ['ignore', 'ignore', 'ignore'] })
    source.release(...rest)
    expect(await again.exited).toBe(0)
    await finished(id)
    expect(await sha256OfFile(path)).toBe(sha256(await (await get(url)).bytes()))
  })

  test('goes on after a restart of the service, with the same bytes and the same ETag', async () => {
    using dir = tempDir()
    const { id, url, rest } = await begun()
    const path = dir.file('a.zip')
    const download = curl(url, path, '--no-buffer', '-D', dir.file('h'))
    await until('more than the first body has come', () => sizeOf(path) > BODY_BYTES)
    await service.restart()
    expect([18, 56]).toContain(await download.exited)
    const { port } = new URL(service.origin)
    const moved = Object.assign(new URL(url), { port }).href
    const again = curl(moved, path, '-C', '-')
    source.release(...rest)
    expect(await again.exited).toBe(0)
    await finished(id)
    const whole = await get(moved)
    expect(await sha256OfFile(path)).toBe(sha256(await whole.bytes()))
    expect(await Bun.file(dir.file('h')).text()).toContain(whole.headers.get('etag') ?? 'none')
  })

  test.each([
    [
      'a URL fails',
      ({ second, third }: Begun) => {
        source.release(third)
        source.refuse(second)
      },
    ],
    ['it is cancelled', ({ id }: Begun) => void service.request('POST', `/jobs/${id}/cancel`)],
    ['it is deleted', ({ id }: Begun) => void service.request('DELETE', `/jobs/${id}`)],
  ])('breaks the connection off when the job fails: %s', async (_why, fail) => {
    using dir = tempDir()
    const job = await begun()
    const path = dir.file('a.zip')
    const download = curl(job.url, path, '--no-buffer')
    await until('more than the first body has come', () => sizeOf(path) > BODY_BYTES)
    fail(job)
    expect([18, 56]).toContain(await download.exited)
  })

  test('has a new ETag after a retry from scratch, and the same one after a retry that goes on', async () => {
    const { id, url, second, third } = await begun()
    using first = await headOf(url)
    await first.untilBytes(BODY_BYTES)
    source.release(third)
    source.refuse(second)
    await finished(id)
    expect((await get(url)).status).toBe(403)
    const etagAfter = async (body: object) => {
      source.hold(second)
      await service.request('POST', `/jobs/${id}/retry`, { body })
      using answer = await headOf(url)
      await answer.untilBytes(BODY_BYTES)
      source.refuse(second)
      await finished(id)
      return answer.headers.get('etag')
    }
    const etag = first.headers.get('etag')
    expect(await etagAfter({})).toBe(etag)
    expect(await etagAfter({ from_checkpoint: false })).not.toBe(etag)
  })

  test('is not slowed down by a client that stops reading, nor are others', async () => {
    using dir = tempDir()
    const names = Array.from({ length: 40 }, (_, index) => `stopped${index}.bin`)
    const urls = names.map((name) => source.url(name, 1_000_000))
    const id = await service.createJob({ urls })
    const { early_download_url: url } = (await service.request('GET', `/jobs/${id}`)).body.job
    using _stopped = await headOf(url)
    const download = curl(url, dir.file('a.zip'))
    source.release(...names)
    expect((await finished(id)).status).toBe('completed')
    expect(await download.exited).toBe(0)
    expect(await sha256OfFile(dir.file('a.zip'))).toBe(sha256(await (await get(url)).bytes()))
  })

  test('serves a thousand waiting clients', async () => {
    const bodyBytes = 20_000
    const { id, url, rest } = await begun(bodyBytes, bodyBytes)
    const clients = Array.from({ length: 1000 }, () => rawClient(url))
    await until('every client has the first body', () =>
      clients.every(({ receivedBytes }) => receivedBytes() > bodyBytes),
    )
    source.release(...rest)
    await Promise.all(clients.map(({ ended }) => ended))
    for (const { receivedBytes } of clients) expect(receivedBytes()).toBeGreaterThan(3 * bodyBytes)
    await finished(id)
  })
})

type Begun = Awaited<ReturnType<typeof begun>>

/** Bun's `fetch` opens no more than 256 connections at once. */
function rawClient(url: string) {
  const { hostname, port, host, pathname } = new URL(url)
  const ended = Promise.withResolvers<void>()
  let receivedBytes = 0
  void Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) =>
        void socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      data(_socket, bytes) {
        receivedBytes += bytes.length
      },
      close: () => ended.resolve(),
    },
  })
  return { receivedBytes: () => receivedBytes, ended: ended.promise }
}

/** The response, of which no more is read than asked for. */
async function headOf(url: string, headers: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController()
  const response = await fetch(url, { headers, signal: stop.signal })
  const reader = response.body?.getReader()
  let receivedBytes = 0
  const read = async () => {
    const { value, done = true } = (await reader?.read()) ?? {}
    receivedBytes += value?.length ?? 0
    return !done
  }
  return {
    status: response.status,
    headers: response.headers,
    async untilBytes(bytes: number) {
      while (receivedBytes < bytes && (await read()));
    },
    [Symbol.dispose]: () => stop.abort(),
  }
}
