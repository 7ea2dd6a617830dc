import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startHeldSource } from '../support/held-source.ts'
import { refusedUrl, startOrigin } from '../support/origin.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())

/** A source that notes its requests, and refuses `HEAD` where the path says so. */
const requests: string[] = []
const source = forFile(
  Object.assign(
    Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        const { pathname } = new URL(request.url)
        requests.push(`${request.method} ${pathname} ${request.headers.get('range') ?? ''}`.trim())
        if (pathname.startsWith('/no-head') && request.method === 'HEAD')
          return new Response('', { status: 405 })
        if (pathname === '/no-head.pdf')
          return new Response('%', {
            status: 206,
            headers: { 'content-range': 'bytes 0-0/4711', 'content-type': 'application/pdf', etag: '"x"' },
          })
        if (pathname === '/long-headers')
          return new Response('abc', {
            headers: { 'content-type': `a/${'x'.repeat(9_000)}`, etag: `"${'x'.repeat(9_000)}"` },
          })
        if (pathname === '/gone') return new Response('', { status: 410 })
        if (pathname === '/never') return new Promise<Response>(() => {})
        return new Response('abc', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
      },
    }),
    {
      async [Symbol.asyncDispose]() {},
    },
  ),
)
const at = (path: string) => new URL(path, source.url).href

async function probe(body: object): Promise<ReplyBody[]> {
  const response = await fetch(`${service.origin}/probe`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toStartWith('application/x-ndjson')
  const lines = (await response.text()).trim().split('\n')
  const results: ReplyBody[] = lines.map((line) => JSON.parse(line))
  return results.toSorted((a, b) => a.position - b.position)
}

describe('POST /probe answers JSON lines', () => {
  test('with status, size, type, name, host, error and warning of each URL', async () => {
    const results = await probe({
      files: [{ url: at('/a.txt') }, { url: at('/gone') }, { url: refusedUrl(), filename: 'mine.bin' }],
    })
    expect(results).toEqual([
      {
        position: 0,
        status: 200,
        size: 3,
        type: 'text/plain',
        name: 'a.txt',
        host: source.url.host,
        etag: null,
        error: null,
        warning: null,
      },
      expect.objectContaining({ position: 1, status: 410, error: 'HTTP 410', name: 'gone' }),
      expect.objectContaining({
        position: 2,
        status: null,
        error: 'Connection refused',
        name: 'mine.bin',
        host: '127.0.0.1:1',
      }),
    ])
  })

  test('HEAD, or GET for a single byte where a host refuses HEAD; a 206 is given as 200', async () => {
    requests.length = 0
    const [result] = await probe({ urls: [at('/no-head.pdf')] })
    expect(result).toMatchObject({
      status: 200,
      size: 4711,
      type: 'application/pdf',
      etag: '"x"',
      error: null,
    })
    expect(requests).toEqual(['HEAD /no-head.pdf', 'GET /no-head.pdf bytes=0-0'])
  })

  test('a page instead of a file and an empty file have a warning, which the body confirms', async () => {
    const results = await probe({
      urls: ['/page/a.pdf', '/empty/c.bin', '/files/report.pdf', '/behind-sign-in/a.pdf'].map((path) =>
        origin.url(path),
      ),
    })
    expect(results.map(({ warning }) => warning?.code ?? null)).toEqual([
      'HTML_INSTEAD',
      'EMPTY',
      null,
      'HTML_INSTEAD',
    ])
  })

  test('what a host sends in place of a media type or an entity tag is left out when it is too long', async () => {
    const [result] = await probe({ urls: [at('/long-headers')] })
    expect(result).toMatchObject({ status: 200, size: 3, type: null, etag: null })
  })

  test('the address guard holds', async () => {
    const [result] = await probe({ urls: ['http://10.0.0.1/a'] })
    expect(result).toMatchObject({ status: null, error: 'Address not allowed' })
  })

  test('nothing is stored', async () => {
    const before = await service.request('GET', '/jobs/stats')
    await probe({ urls: [at('/a.txt')] })
    expect((await service.request('GET', '/jobs/stats')).body).toEqual(before.body)
  })

  test('a client that closes its connection ends all', async () => {
    const stop = new AbortController()
    const reply = await fetch(`${service.origin}/probe`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: JSON.stringify({ urls: [at('/a.txt'), at('/never')] }),
      signal: stop.signal,
    })
    const first = await reply.body?.getReader().read()
    expect(new TextDecoder().decode(first?.value)).toStartWith('{"position":0,')
    stop.abort()
    // Two may run at once: more of them succeed only if the first one has ended.
    for (let run = 0; run < 3; run++) expect(await probe({ urls: [at('/a.txt')] })).toHaveLength(1)
    const status = async () => (await service.request('GET', '/service')).body.service.connections_in_use
    await until('the probes have ended', async () => (await status()) === 0, { everyMs: 10 })
  })
})

describe('It is polite', () => {
  test('a wait that a host asks for holds for all its URLs', async () => {
    const times: number[] = []
    const askedAtOnce = Promise.withResolvers<void>()
    const waitBegins = Promise.withResolvers<void>()
    let toldToWaitMs = Number.POSITIVE_INFINITY
    await using limited = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 255,
      async fetch() {
        const count = times.push(performance.now())
        if (count === FIRST_REQUESTS) askedAtOnce.resolve()
        if (count === 1) {
          await askedAtOnce.promise
          toldToWaitMs = performance.now()
          return new Response('', { status: 429, headers: { 'retry-after': '1' } })
        }
        // Those that were asked together with the first one are answered when its answer is known.
        if (count <= FIRST_REQUESTS) await waitBegins.promise
        return new Response('x')
      },
    })
    const urls = Array.from({ length: 40 }, (_, index) => new URL(`/${index}`, limited.url).href)
    const ended = probe({ urls })
    await until('the first answer is known, or not heeded', async () => {
      const { connections_in_use } = (await service.request('GET', '/service')).body.service
      return times.length > FIRST_REQUESTS || (toldToWaitMs < Infinity && connections_in_use < FIRST_REQUESTS)
    })
    waitBegins.resolve()
    expect((await ended).map(({ status }) => status)).toEqual(urls.map(() => 200))
    expect((times[FIRST_REQUESTS] ?? 0) - toldToWaitMs).toBeGreaterThan(990)
  })

  test('a job of another user gets its share while thousands of URLs are checked', async () => {
    await using source = startHeldSource()
    const urls = source.urls(2000, 40)
    const key = await service.addUser('other')
    const ended = probe({ urls })
    await until('the check has many connections', () => source.askedCount() >= AT_ONCE)
    expect(await service.finishedJob([at('/a.txt')], {}, key)).toMatchObject({ status: 'completed' })
    source.release()
    expect(await ended).toHaveLength(2000)
  })
})

describe('Limits', () => {
  test('lists that would take more than 40 MB together are UNAVAILABLE, and short ones are checked meanwhile', async () => {
    // The first line begins the response.
    const urls = [at('/a.txt'), ...Array.from({ length: 3_000 }, () => at('/never?').padEnd(8_000, 'x'))]
    const stop = new AbortController()
    const begin = (signal?: AbortSignal) =>
      fetch(`${service.origin}/probe`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}` },
        body: JSON.stringify({ urls }),
        ...(signal && { signal }),
      })
    const first = await begin(stop.signal)
    expect(first.status).toBe(200)
    const second = await begin()
    expect(second.status).toBe(503)
    expect(await second.json()).toMatchObject({
      error: { code: 'UNAVAILABLE', message: expect.stringMatching(/^Many pages and lists/) },
    })
    // At another host: the first list has all connections to that one.
    expect(await probe({ urls: [origin.url('/bytes/3/a.txt')] })).toHaveLength(1)
    stop.abort()
    await first.body?.cancel().catch(() => {})
  })

  test('a plan limits the number of URLs', async () => {
    const key = await service.addUser('free-user', 'free')
    const urls = Array.from({ length: 101 }, (_, index) => at(`/${index}.txt`))
    const reply = await service.request('POST', '/probe', { key, body: { urls } })
    expect(reply.status).toBe(403)
    expect(reply.body.error.code).toBe('PLAN_LIMIT_EXCEEDED')
  })

  test('an invalid list is refused', async () => {
    const reply = await service.request('POST', '/probe', { body: { urls: ['ftp://x'] } })
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } })
  })
})

/** What a host gets at once before it has answered. */
const FIRST_REQUESTS = 8
/** Of the 64 connections of the service. */
const AT_ONCE = 48
