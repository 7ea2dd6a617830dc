import { expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import type { ProxySettings } from '../../../server/fetching/proxies/proxy.ts'
import { parseProxy } from '../../../server/fetching/proxies/proxy.ts'
import { refusedUrl, startOrigin } from '../../support/origin.ts'
import { type ProxyOptions, startProxy } from '../../support/proxy.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const NO_HOST = { order: { network: { allowedNetworks: [], ownPort: null } } }

test('through a proxy, sources of names that only the proxy knows are packed, also after a redirect', async () => {
  await using origin = await startOrigin()
  await using proxy = await startProxy({
    hosts: { 'intranet.test:80': hostOf(origin.url('/')) },
    login: 'ann:secret',
  })
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [
    'http://intranet.test/bytes/1000/a.bin',
    'http://intranet.test/bytes/3000000/b.bin',
    'http://intranet.test/set-cookies?to=http://intranet.test/bytes/10/c.bin',
  ])
  const fetching = { proxies: through(`ann:secret@${proxy.host}`) }
  // Without a rate, no part of a body is asked for.
  expect(await job.run({ fetching, nowMs: () => 0, ...NO_HOST })).toMatchObject({ fileCount: 3 })
  expect((await readZip(job.archivePath)).map(({ name }) => name)).toEqual(['a.bin', 'b.bin', 'set-cookies'])
  expect(JSON.stringify(origin.requests('/bytes/1000/a.bin'))).not.toContain('proxy-authorization')
  expect(proxy.requests.filter(({ line }) => line.startsWith('GET http://intranet.test/'))).toHaveLength(4)
})

test('an address in a URL must be allowed, also when a proxy would connect to it, and so must a name of this machine', async () => {
  await using proxy = await startProxy()
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [
    'http://127.0.0.1/a',
    'http://[::ffff:10.0.0.1]/b',
    'http://localhost/c',
    'https://192.168.1.1/d',
  ])
  await job.run({ fetching: { proxies: through(proxy.host) }, ...NO_HOST })
  expect(job.errors.map(([, error]) => error)).toEqual(Array(4).fill('Address not allowed'))
  expect(proxy.requests).toEqual([])
})

test('hosts that the list names are reached without the proxy', async () => {
  await using origin = await startOrigin()
  await using proxy = await startProxy({ answer: refuse(403) })
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [origin.url('/bytes/10/a.bin'), 'http://elsewhere.test/b'])
  const proxies = { ...through(proxy.host), exempt: '127.0.0.0/8' }
  expect(await job.run({ fetching: { proxies } })).toMatchObject({ fileCount: 1 })
  expect(proxy.requests.map(({ line }) => line)).toEqual(['GET http://elsewhere.test/b'])
})

test.each<[string, ProxyOptions, string, string]>([
  [
    'wants another password',
    { login: 'ann:other' },
    'Proxy refused',
    'wants a user name and password, or other ones (HTTP 407)',
  ],
  [
    'speaks no HTTP',
    { answer: (client) => void client.end('220 mail.test ESMTP\r\n') },
    'Proxy refused',
    'answered with something else than HTTP',
  ],
])(
  'a proxy that %s ends a job of many hosts after a few requests',
  async (_name, options, error, problem) => {
    await using proxy = await startProxy(options)
    using dir = tempDir()
    const urls = Array.from({ length: 200 }, (_, n) => `https://host-${n}.test/a.bin`)
    const job = testJob(dir.file('a.zip'), urls)
    await job.run({ fetching: { proxies: through(`ann:secret@${proxy.host}`) } })
    expect(new Set(job.errors.map(([, text]) => text))).toEqual(new Set([error]))
    expect(job.errors).toHaveLength(urls.length)
    expect(job.proxyProblems).toEqual([problem])
    expect(job.givenUp).toEqual([[`proxy http://${proxy.host}`, error]])
    // At most as many as are sent at once.
    expect(proxy.requests.length).toBeLessThan(65)
  },
)

test('a proxy that cannot be reached is given up for all hosts, and no host is blamed', async () => {
  const { host } = new URL(refusedUrl())
  using dir = tempDir()
  const urls = Array.from({ length: 40 }, (_, n) => `https://host-${n}.test/a.bin`)
  const job = testJob(dir.file('a.zip'), urls)
  await job.run({
    fetching: { proxies: through(host) },
    limits: { unreachableAfterMs: 0, unreachableAfterAttempts: 10 },
  })
  expect(new Set(job.errors.map(([, text]) => text))).toEqual(new Set(['Connection failed']))
  expect(job.proxyProblems).toEqual(['cannot be reached (ECONNREFUSED)'])
  expect(job.givenUp).toEqual([[`proxy http://${host}`, 'Connection failed']])
})

test('a host that the proxy refuses is given up, and others are fetched', async () => {
  await using origin = await startOrigin()
  const forward = { 'good.test:80': hostOf(origin.url('/')) }
  await using proxy = await startProxy({ hosts: forward, refused: { 'bad.test:443': 403 } })
  using dir = tempDir()
  const bad = Array.from({ length: 100 }, (_, n) => `https://bad.test/${n}.bin`)
  const job = testJob(dir.file('a.zip'), [...bad, 'http://good.test/bytes/10/a.bin'])
  expect(await job.run({ fetching: { proxies: through(proxy.host) } })).toMatchObject({ fileCount: 1 })
  expect(new Set(job.errors.map(([, text]) => text))).toEqual(new Set(['Proxy refused']))
  expect(job.givenUp).toEqual([['bad.test:443', 'Proxy refused']])
  expect(job.proxyProblems).toEqual(['did not connect to a host (HTTP 403)'])
})

test('a proxy does not get what a user gives to the origin behind it, when that has TLS', async () => {
  await using proxy = await startProxy({ refused: { 'secret.test:443': 403 } })
  using dir = tempDir()
  const headers = ['Authorization', 'Cookie', 'User-Agent'].map((name) => ({ name, value: 'a-marker' }))
  const rule = { origin: 'https://secret.test', includeSubdomains: false, headers, login: null }
  const job = testJob(dir.file('a.zip'), ['https://secret.test/a?a-marker'])
  const order = { originRules: [[rule]] }
  await job.run({ fetching: { proxies: through(proxy.host) }, order })
  expect(proxy.requests.map(({ line }) => line)).toEqual(['CONNECT secret.test:443'])
  expect(JSON.stringify(proxy.requests)).not.toContain('a-marker')
})

test('a proxy that is silent times out, and is named', async () => {
  await using proxy = await startProxy({ answer: () => {} })
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), ['https://host.test/a', 'http://host.test/b'])
  const limits = { connectTimeoutMs: 300, headersTimeoutMs: 300, attempts: 1 }
  await job.run({ fetching: { proxies: through(proxy.host) }, limits })
  expect(job.errors.map(([, text]) => text)).toEqual(['Timed out', 'Timed out'])
  expect(job.proxyProblems).toEqual(['did not answer in time'])
})

function through(text: string): ProxySettings {
  const proxy = parseProxy(text)
  return { http: proxy, https: proxy, exempt: '' }
}

function hostOf(url: string): string {
  return new URL(url).host
}

function refuse(status: number): (client: Socket) => void {
  return (client) => void client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
}
