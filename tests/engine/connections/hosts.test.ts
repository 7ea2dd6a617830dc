import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import tls from 'node:tls'
import { expectedSha256, type Origin, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { listen } from '../../support/tcp-server.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { selfSigned } from '../../support/test-certificates.ts'
import { testJob } from '../../support/test-job.ts'

let origin: Origin
let other: Origin
beforeAll(async () => {
  ;[origin, other] = await Promise.all([startOrigin(), startOrigin()])
})
afterAll(async () => {
  await origin[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

/** Adds user and password to the URL. */
function withCredentials(url: string): string {
  return url.replace('http://', 'http://us%65r:p%40ss@')
}

const BASIC = `Basic ${btoa('user:p@ss')}`

describe('credentials of a URL', () => {
  test('are sent as Basic authentication, not as part of the address', async () => {
    using dir = tempDir()
    const path = '/bytes/10/a.bin?credentials=1'
    await testJob(dir.file('a.zip'), [withCredentials(origin.url(path))]).run()
    const [request] = origin.requests(path)
    expect(request?.headers.get('authorization')).toBe(BASIC)
    expect(request?.headers.get('host')).toBe(new URL(origin.url('/')).host)
  })

  test('are kept on a redirect within the origin and dropped on one to another origin', async () => {
    using dir = tempDir()
    const inside = '/bytes/10/a.bin?credentials=inside'
    const outside = '/bytes/10/a.bin?credentials=outside'
    const redirect = (to: string) => withCredentials(origin.url(`/redirect/1?to=${encodeURIComponent(to)}`))
    await testJob(dir.file('a.zip'), [redirect(inside), redirect(other.url(outside))]).run()
    expect(origin.requests(inside)[0]?.headers.get('authorization')).toBe(BASIC)
    expect(other.requests(outside)[0]?.headers.has('authorization')).toBe(false)
  })
})

test('requests name Holdall as user agent and accept only unencoded bodies', async () => {
  using dir = tempDir()
  const path = '/bytes/10/a.bin?headers=1'
  await testJob(dir.file('a.zip'), [origin.url(`${path}#fragment`)]).run()
  const [request] = origin.requests(path)
  expect(request?.headers.get('user-agent')).toMatch(/^Holdall\/\d+\.\d+\.\d+$/)
  expect(request?.headers.get('accept-encoding')).toBe('identity')
  expect(request?.target).toBe(path)
})

test('proxy variables in the environment are ignored', async () => {
  using dir = tempDir()
  const before = process.env.http_proxy
  process.env.http_proxy = other.url('/')
  try {
    const path = '/bytes/10/a.bin?proxy=1'
    const job = testJob(dir.file('a.zip'), [origin.url(path)])
    expect(await job.run()).toMatchObject({ status: 'completed' })
    expect(origin.requests(path)).toHaveLength(1)
  } finally {
    if (before === undefined) delete process.env.http_proxy
    else process.env.http_proxy = before
  }
})

describe('addresses', () => {
  for (const [title, url] of [
    ['a private address', 'http://10.1.2.3/'],
    ['the metadata service of clouds', 'http://169.254.169.254/latest/'],
    ['an address in hexadecimal', 'http://0xa9fea9fe/'],
    ['an IPv4 address inside an IPv6 one', 'http://[::ffff:10.1.2.3]/'],
  ] as const) {
    test(`${title} is refused`, async () => {
      using dir = tempDir()
      const job = testJob(dir.file('a.zip'), [url])
      await job.run()
      expect(job.errors).toEqual([[0, 'Address not allowed']])
    })
  }

  test('loopback is refused unless it is allowed, and a refused address gets no request', async () => {
    using dir = tempDir()
    const path = '/bytes/10/a.bin?loopback=1'
    const job = testJob(dir.file('a.zip'), [
      origin.url(path),
      origin.url(path).replace('127.0.0.1', 'localhost'),
    ])
    await job.run({ order: { network: { allowedNetworks: [], ownPort: null } } })
    expect(job.errors.map(([, error]) => error)).toEqual(['Address not allowed', 'Address not allowed'])
    expect(origin.requests(path)).toHaveLength(0)
  })

  test("the service's own port is refused on every hop, even if its network is allowed", async () => {
    using dir = tempDir()
    const own = Number(new URL(other.url('/')).port)
    const path = '/bytes/10/a.bin?own=1'
    const urls = [other.url(path), origin.url(`/redirect/1?to=${encodeURIComponent(other.url(path))}`)]
    const job = testJob(dir.file('a.zip'), urls)
    await job.run({ order: { network: { allowedNetworks: ['127.0.0.0/8'], ownPort: own } } })
    expect(job.errors.map(([, error]) => error)).toEqual(['Address not allowed', 'Address not allowed'])
    expect(other.requests(path)).toHaveLength(0)
  })
})

test('an untrusted certificate, which is that of the host, ends all its URLs after a few connections', async () => {
  using dir = tempDir()
  const { cert, key } = await selfSigned(dir, 'localhost')
  let connectionCount = 0
  const server = tls.createServer({ cert, key }, (socket) => socket.destroy())
  server.on('connection', () => {
    connectionCount += 1
  })
  server.on('tlsClientError', () => {})
  const port = await listen(server)
  const urls = Array.from({ length: 200 }, (_, n) => `https://127.0.0.1:${port}/${n}`)
  const job = testJob(dir.file('a.zip'), urls)
  await job.run()
  server.close()
  expect(job.errors.map(([, error]) => error)).toEqual(urls.map(() => 'TLS certificate not trusted'))
  expect(connectionCount).toBeLessThanOrEqual(16)
})

test('a silent host does not delay other hosts', async () => {
  using dir = tempDir()
  const silent = Array.from({ length: 24 }, (_, n) => other.url(`/silent?n=${n}`))
  const good = Array.from({ length: 200 }, (_, n) => origin.url(`/bytes/2000/${n}.bin?fair=1`))
  const job = testJob(dir.file('a.zip'), [...silent, ...good])
  const count = (wanted: string) => job.checkpoint.entries.filter(({ status }) => status === wanted).length
  const stop = new AbortController()
  await job.run({
    stop: stop.signal,
    onCommit: () => {
      if (count('stored') === good.length) stop.abort()
    },
  })
  expect([count('stored'), count('failed')]).toEqual([good.length, 0])
})

test('at most 8 large bodies arrive at once from one host before its rate is known', async () => {
  await using large = await startOrigin()
  using dir = tempDir()
  const path = (n: number) => `/bytes/2000000/${n}.bin?bytes_per_second=20000000`
  const urls = Array.from({ length: 64 }, (_, n) => large.url(path(n)))
  const job = testJob(dir.file('a.zip'), urls)
  expect(await job.run({ nowMs: () => 0 })).toMatchObject({ status: 'completed' })
  expect(large.peakConcurrentRequests()).toBe(8)
})

test('a source is fetched again after 429 and Retry-After', async () => {
  using dir = tempDir()
  const paths = Array.from(
    { length: 20 },
    (_, n) => `/bytes/2000/${n}.bin?fail=1&fail_status=429&retry_after=0`,
  )
  const job = testJob(
    dir.file('a.zip'),
    paths.map((path) => origin.url(path)),
  )
  expect(await job.run()).toMatchObject({ status: 'completed' })
  const entries = await readZip(job.archivePath)
  expect(entries.map(({ sha256 }) => sha256)).toEqual(paths.map(() => expectedSha256(2000)))
})
