import { describe, expect, test } from 'bun:test'
import {
  behaviours,
  expectedBytes,
  expectedSha256,
  refusedUrl,
  samples,
  sha256,
  startOrigin,
} from './origin.ts'
import { until } from './until.ts'

const SIZE = 200_000

describe('The origin, as a well-behaved source,', () => {
  test('sends the same body for the same seed, and different bodies for different seeds', async () => {
    await using origin = await startOrigin()
    const response = await fetch(origin.url(`/bytes/${SIZE}?seed=7&type=image/png`))
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-length')).toBe(String(SIZE))
    expect(sha256(await response.bytes())).toBe(expectedSha256(SIZE, 7))
    expect(expectedSha256(SIZE, 7)).not.toBe(expectedSha256(SIZE, 8))
    expect(sha256(expectedBytes(SIZE, 7))).toBe(expectedSha256(SIZE, 7))
  })

  test('sends a range if If-Range has the current ETag, and otherwise the whole body', async () => {
    await using origin = await startOrigin()
    const url = origin.url(`/bytes/${SIZE}`)
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
    const rest = await fetch(url, { headers: { range: 'bytes=70000-', 'if-range': etag } })
    expect(rest.status).toBe(206)
    expect(rest.headers.get('content-range')).toBe(`bytes 70000-${SIZE - 1}/${SIZE}`)
    expect(await rest.bytes()).toEqual(expectedBytes(SIZE).slice(70_000))
    const whole = await fetch(url, { headers: { range: 'bytes=70000-', 'if-range': '"another"' } })
    expect(whole.status).toBe(200)
    await whole.body?.cancel()
  })

  test('sends sample files, chunked bodies and bodies that end with the connection', async () => {
    await using origin = await startOrigin()
    for (const { name, type, bytes } of samples) {
      const response = await fetch(origin.url(`/files/${name}`))
      expect(response.headers.get('content-type')).toBe(type)
      expect(sha256(await response.bytes())).toBe(sha256(bytes))
    }
    for (const framing of ['chunked', 'close']) {
      const response = await fetch(origin.url(`/bytes/${SIZE}?framing=${framing}`))
      expect(response.headers.get('content-length')).toBeNull()
      expect(sha256(await response.bytes())).toBe(expectedSha256(SIZE))
    }
  })

  test('records requests with their headers, sent bytes and the peak of concurrent requests', async () => {
    await using origin = await startOrigin()
    const get = () => fetch(origin.url(`/bytes/${SIZE}?delay_ms=5`), { headers: { 'x-mark': 'seen' } })
    await Promise.all([get(), get(), get()].map(async (response) => (await response).bytes()))
    expect(origin.requests(`/bytes/${SIZE}`)).toHaveLength(3)
    expect(origin.requests(`/bytes/${SIZE}?delay_ms=5`)[0]?.headers.get('x-mark')).toBe('seen')
    expect(origin.requests(`/bytes/${SIZE}?delay_ms=1`)).toHaveLength(0)
    expect(origin.sentBytes()).toBeGreaterThan(3 * SIZE)
    expect(origin.sentBytes()).toBeLessThan(3 * SIZE + 2000)
    const stop = new AbortController()
    const silent = Array.from({ length: 4 }, () =>
      fetch(origin.url('/silent'), { signal: stop.signal }).catch(() => null),
    )
    await until('four requests are open', () => origin.peakConcurrentRequests() === 4)
    stop.abort()
    expect(await Promise.all(silent)).toEqual(silent.map(() => null))
  })
})

describe('The origin, as a misbehaving source,', () => {
  test.each(['cut_at=100000', 'reset_at=100000', 'cut_at=100000&framing=chunked'])(
    'breaks off a body: %s',
    async (how) => {
      await using origin = await startOrigin()
      const response = await fetch(origin.url(`/bytes/${SIZE}?${how}&times=1`))
      expect(response.status).toBe(200)
      await expect(response.bytes()).rejects.toThrow()
      const again = await fetch(origin.url(`/bytes/${SIZE}?${how}&times=1`))
      expect(sha256(await again.bytes())).toBe(expectedSha256(SIZE))
    },
  )

  test.each(['/silent', '/bytes/1000?stall_at=500', '/endless', '/bytes/1000?bytes_per_second=10'])(
    'never completes the response to %s',
    async (path) => {
      await using origin = await startOrigin()
      const whole = fetch(origin.url(path), { signal: AbortSignal.timeout(300) }).then((response) =>
        response.bytes(),
      )
      await expect(whole).rejects.toThrow('timed out')
      await whole.catch(() => {})
    },
  )

  test('responds with an error status, with garbage, or refuses the connection', async () => {
    await using origin = await startOrigin()
    expect((await fetch(origin.url('/status/404'))).status).toBe(404)
    await expect(fetch(origin.url('/garbage'))).rejects.toThrow()
    await expect(fetch(refusedUrl())).rejects.toThrow()
  })

  test('fails a given number of times before it succeeds', async () => {
    await using origin = await startOrigin()
    const url = origin.url('/bytes/10?fail=2&fail_status=429&retry_after=3')
    const first = await fetch(url)
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '3'])
    expect((await fetch(url)).status).toBe(429)
    expect((await fetch(url)).status).toBe(200)
  })

  test('lists every kind of misbehaving source, with URLs that were not asked before', async () => {
    await using origin = await startOrigin()
    const list = async () => (await (await fetch(origin.url('/'))).text()).match(/http:\S+/g) ?? []
    const urls = await list()
    expect(urls).toHaveLength(behaviours.length)
    expect(new Set([...urls, ...(await list())]).size).toBe(2 * behaviours.length)
    const statuses = await Promise.all(urls.map((url) => statusOf(url, 1000)))
    expect(statuses).not.toContain(404)
  })

  test('limits its clients, by how often or how many at once they ask', async () => {
    await using origin = await startOrigin()
    const statuses = (path: string, count: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => statusOf(origin.url(`${path}&n=${n}`))))
    // A busy machine may ask more rarely than the limit allows.
    const untilRefused = (path: string, count: number, refusal: number) =>
      until(`one of ${count} requests is refused`, async () =>
        (await statuses(path, count)).includes(refusal),
      )
    expect(await statuses('/rate-limited/3?retry_after=1&run=a', 3)).toEqual([200, 200, 200])
    await untilRefused('/rate-limited/3?retry_after=1&run=a', 5, 429)
    // Those of another run are another host's.
    expect(await statuses('/rate-limited/3?run=b', 1)).toEqual([200])
    expect(await statuses('/at-once/2?status=503&run=a', 2)).toEqual([200, 200])
    await untilRefused('/at-once/2?status=503&run=a', 4, 503)
  })

  test('redirects several times, in a loop, and to another scheme', async () => {
    await using origin = await startOrigin()
    const chained = await fetch(origin.url('/redirect/3?to=/bytes/5'))
    expect(await chained.bytes()).toEqual(expectedBytes(5))
    expect(origin.requestCount()).toBe(4)
    const manual = { redirect: 'manual' } as const
    const loop = await fetch(origin.url('/redirect-loop'), manual)
    expect(loop.headers.get('location')).toBe('/redirect-loop')
    const away = await fetch(origin.url('/redirect/1?to=ftp://127.0.0.1/x'), manual)
    expect(away.headers.get('location')).toBe('ftp://127.0.0.1/x')
  })

  test('sends wrong ranges and validators', async () => {
    await using origin = await startOrigin()
    const fetchRest = (query: string) =>
      fetch(origin.url(`/bytes/1000?${query}`), { headers: { range: 'bytes=500-' } })
    expect((await fetchRest('ranges=ignored')).status).toBe(200)
    expect((await fetchRest('ranges=wrong')).headers.get('content-range')).toBe('bytes 499-998/1000')
    expect((await fetchRest('etag=weak')).headers.get('etag')).toStartWith('W/"')
    expect((await fetchRest('etag=none')).headers.get('etag')).toBeNull()
    const changing = [await fetchRest('etag=changing'), await fetchRest('etag=changing')]
    expect(new Set(changing.map((response) => response.headers.get('etag'))).size).toBe(2)
  })

  test('sends more bytes than it declares', async () => {
    await using origin = await startOrigin()
    const response = await fetch(origin.url('/bytes/1000?surplus=50000'))
    expect(await response.bytes()).toEqual(expectedBytes(1000))
    expect(origin.sentBytes()).toBeGreaterThan(51_000)
  })

  test('sends encoded bodies, valid or corrupt', async () => {
    await using origin = await startOrigin()
    for (const encoding of ['gzip', 'br', 'deflate']) {
      const right = await fetch(origin.url(`/encoded/${encoding}?size=5000`))
      expect(sha256(await right.bytes())).toBe(expectedSha256(5000))
      await expect(
        fetch(origin.url(`/encoded/${encoding}?corrupt=1`)).then((bad) => bad.bytes()),
      ).rejects.toThrow()
    }
    const bomb = await fetch(origin.url('/gzip-bomb/20000000'))
    expect(await bomb.bytes()).toHaveLength(20_000_000)
    expect(origin.sentBytes()).toBeLessThan(100_000)
  })

  test('sends any Content-Disposition in UTF-8 or Latin-1', async () => {
    await using origin = await startOrigin()
    const hostile = 'attachment; filename="../../é.txt"'
    const utf8 = await fetch(origin.url(`/bytes/1?disposition=${encodeURIComponent(hostile)}`))
    const raw = utf8.headers.get('content-disposition') ?? ''
    expect(Buffer.from(raw, 'latin1').toString('utf8')).toBe(hostile)
    const latin1 = await fetch(origin.url(`/bytes/1?disposition_latin1=${encodeURIComponent(hostile)}`))
    expect(latin1.headers.get('content-disposition')).toBe(hostile)
  })
})

/** 0 if there is no response that fetch understands. */
async function statusOf(url: string, timeoutMs = 60_000): Promise<number> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { redirect: 'manual', signal }).catch(() => null)
  await response?.body?.cancel().catch(() => {})
  return response?.status ?? 0
}
