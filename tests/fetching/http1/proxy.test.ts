import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { Http1Client, Http1Failure, type ProxyHop } from '../../../server/fetching/http1/client.ts'
import { startRawOrigin, whole } from '../../support/origin/raw-origin.ts'
import { refusedUrl } from '../../support/origin.ts'
import { startProxy, type TestProxy } from '../../support/proxy.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { type Certificate, selfSigned, signed } from '../../support/test-certificates.ts'
import { startTlsOrigin } from './tls-origin.ts'

const dir = tempDir()
const NAME = 'source.test'
const LOGIN = 'ann:secret'
let authority = ''
let certificate: Certificate

beforeAll(async () => {
  authority = (await selfSigned(dir, 'authority.test')).cert
  await signed(dir, NAME, 'authority.test', 1)
  certificate = await signed(dir, 'proxy.test', 'authority.test', 1)
})
afterAll(() => dir[Symbol.dispose]())

describe.each([false, true])('Through a proxy (with TLS to it: %p)', (isSecure) => {
  const startThis = (hosts: Record<string, string>) =>
    startProxy({ hosts, login: LOGIN, ...(isSecure && { certificate }) })

  test('a request without TLS has the whole URL, and its connection is used again', async () => {
    await using source = await startRawOrigin((socket, target) => void socket.write(whole(target)))
    await using proxy = await startThis({ 'source.test:80': source.host })
    using client = new Http1Client({ ca: [authority] })
    const request = (target: string) => bodyOf(client, proxy, { target, port: 80, isSecure })
    expect(await request('/a?b=c')).toBe('/a?b=c')
    // Its second request waits until the connection has been silent for long enough.
    expect(await request('/d')).toBe('/d')
    expect(proxy.requests.map(({ line }) => line)).toEqual([
      'GET http://source.test/a?b=c',
      'GET http://source.test/d',
    ])
    expect(proxy.requests[0]?.headers).toMatchObject({
      host: NAME,
      'proxy-authorization': `Basic ${btoa(LOGIN)}`,
    })
  })

  test.each(['TLSv1_2', 'TLSv1_3'])('a request with TLS goes through a tunnel, %s', async (version) => {
    await using source = await startTlsOrigin(dir, version)
    await using proxy = await startThis({ 'source.test:443': source.host })
    using client = new Http1Client({ ca: [authority], headers: [['User-Agent', 'tests']] })
    const request = (target: string) => bodyOf(client, proxy, { target, port: 443, isSecure, toTls: true })
    expect(await request('/length/5')).toBe('xxxxx')
    expect(await request('/length/3000000')).toHaveLength(3_000_000)
    expect(await request('/whole/3000000')).toHaveLength(3_000_000)
    expect(await request('/cut/3000000')).toBe('tls-truncated')
    expect(new Set(proxy.requests.map(({ line }) => line))).toEqual(new Set(['CONNECT source.test:443']))
    // The bodies with a length share a connection with the next one.
    expect(proxy.connectionCount()).toBeLessThan(4)
    expect(proxy.requests[0]?.headers).toEqual({
      host: 'source.test:443',
      'user-agent': 'tests',
      'proxy-authorization': `Basic ${btoa(LOGIN)}`,
    })
  })

  test('the certificate of the source must have its name', async () => {
    await using source = await startTlsOrigin(dir, 'TLSv1_3')
    await using proxy = await startThis({ 'other.test:443': source.host })
    using client = new Http1Client({ ca: [authority] })
    const changes = { serverName: 'other.test', port: 443, isSecure, toTls: true }
    expect(await bodyOf(client, proxy, changes)).toBe('tls: ERR_TLS_CERT_ALTNAME_INVALID')
  })

  test.each([false, true])(
    'a wrong password is the proxy’s word, with TLS to the source: %p',
    async (toTls) => {
      await using source = await startRawOrigin((socket, target) => void socket.write(whole(target)))
      await using proxy = await startThis({ 'source.test:80': source.host })
      using client = new Http1Client({ ca: [authority] })
      expect(await bodyOf(client, proxy, { port: 80, isSecure, toTls, login: 'ann:wrong' })).toBe(
        'proxy-refused: wants a user name and password, or other ones (HTTP 407)',
      )
    },
  )
})

test.each([false, true])(
  'a proxy (with TLS: %p) that ends in the middle of a body cuts it',
  async (isSecure) => {
    await using source = await startTlsOrigin(dir, 'TLSv1_3')
    const hosts = { 'source.test:443': source.host }
    await using proxy = await startProxy({ hosts, ...(isSecure && { certificate }) })
    using client = new Http1Client({ ca: [authority] })
    const signal = new AbortController().signal
    const origin = originOf(proxy, { port: 443, isSecure, toTls: true })
    const head = { method: 'GET', target: '/length/30000000', headers: [['Host', NAME]] } as const
    const response = await client.request({ origin, head, signal })
    expect((await response.next()).done).toBe(false)
    const rest = Array.fromAsync(response)
    await proxy[Symbol.asyncDispose]()
    await expect(rest).rejects.toBeInstanceOf(Http1Failure)
  },
)

test.each([false, true])(
  'a source that is named by its address needs a certificate for it, with TLS to the proxy: %p',
  async (isSecure) => {
    await using source = await startTlsOrigin(dir, 'TLSv1_3')
    const hosts = { '127.0.0.9:443': source.host }
    await using proxy = await startProxy({ hosts, ...(isSecure && { certificate }) })
    using client = new Http1Client({ ca: [authority] })
    const changes = { serverName: '127.0.0.9', port: 443, isSecure, toTls: true }
    expect(await bodyOf(client, proxy, changes)).toBe('tls: ERR_TLS_CERT_ALTNAME_INVALID')
  },
)

const PAGE = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<h1>Hello!</h1>'

describe('A proxy that', () => {
  test.each<[string, (client: Socket) => void, string, string]>([
    [
      'refuses a host',
      (client) => void client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'),
      'proxy-refused: did not connect to a host (HTTP 403)',
      'HTTP 403',
    ],
    [
      'answers with anything but HTTP',
      (client) => void client.end('SSH-2.0-OpenSSH_9.2p1\r\n'),
      'proxy-refused: answered with something else than HTTP',
      'proxy-refused: answered with something else than HTTP',
    ],
    [
      'closes the connection',
      (client) => void client.end(),
      'proxy-failed: closed the connection without an answer',
      'proxy-failed: closed the connection without an answer',
    ],
    [
      'resets the connection',
      (client) => void client.resetAndDestroy(),
      'proxy-failed: closed the connection without an answer',
      'proxy-failed: closed the connection without an answer',
    ],
    [
      'sends a page in place of a tunnel',
      (client) => void client.end(PAGE),
      'proxy-refused: opened a connection to a host, and sent something else than TLS',
      '<h1>Hello!</h1>',
    ],
    [
      'sends anything but TLS through the tunnel',
      (client) => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        client.once('data', () => void client.write('garbage'))
      },
      'proxy-refused: opened a connection to a host, and sent something else than TLS',
      'closed-early',
    ],
    [
      'closes the tunnel',
      (client) => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        client.once('data', () => void client.end())
      },
      'proxy-failed: closed the connection to a host',
      'closed-early',
    ],
  ])('%s', async (_name, answer, withTls, withoutTls) => {
    await using proxy = await startProxy({ answer })
    using client = new Http1Client()
    expect(await bodyOf(client, proxy, { port: 443, toTls: true })).toBe(withTls)
    await using secure = await startProxy({ answer, certificate })
    using trusting = new Http1Client({ ca: [authority] })
    expect(await bodyOf(trusting, secure, { port: 443, toTls: true, isSecure: true })).toBe(withTls)
    if (withoutTls !== 'closed-early') expect(await bodyOf(client, proxy, { port: 80 })).toBe(withoutTls)
  })

  test('is not there, or has a certificate that nobody trusts', async () => {
    await using proxy = await startProxy({ certificate })
    using client = new Http1Client()
    expect(await bodyOf(client, proxy, { port: 443, isSecure: true, toTls: true })).toBe(
      'proxy-failed: cannot be reached with TLS (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    )
    expect(await bodyOf(client, new URL(refusedUrl()), { port: 80 })).toBe(
      'proxy-failed: cannot be reached (ECONNREFUSED)',
    )
  })

  test.each([false, true])('is silent is given up when the caller says so, with TLS: %p', async (toTls) => {
    const asked = Promise.withResolvers<void>()
    await using proxy = await startProxy({ answer: () => asked.resolve() })
    using client = new Http1Client()
    const aborter = new AbortController()
    const request = bodyOf(client, proxy, { port: 443, toTls, signal: aborter.signal })
    await asked.promise
    aborter.abort(new Error('given up'))
    await expect(request).rejects.toThrow('given up')
  })
})

interface Changes {
  readonly target?: string
  readonly port: number
  readonly serverName?: string
  /** Whether the connection to the proxy, and that to the source, use TLS. */
  readonly isSecure?: boolean
  readonly toTls?: boolean
  readonly login?: string
  readonly signal?: AbortSignal
}

/** The body, or the failure in words. */
async function bodyOf(
  client: Http1Client,
  proxy: Pick<TestProxy, 'host'>,
  changes: Changes,
): Promise<string> {
  const { target = '/', serverName = NAME } = changes
  try {
    const response = await client.request({
      origin: originOf(proxy, changes),
      head: { method: 'GET', target, headers: [['Host', serverName]] },
      signal: changes.signal ?? new AbortController().signal,
    })
    if (response.status !== 200) {
      response[Symbol.dispose]()
      return `HTTP ${response.status}`
    }
    return Buffer.concat(await Array.fromAsync(response)).toString('latin1')
  } catch (error) {
    if (error instanceof Http1Failure) return error.message
    throw error
  }
}

function originOf({ host }: Pick<TestProxy, 'host'>, changes: Changes) {
  const { port, serverName = NAME, isSecure = false, toTls = false, login = LOGIN } = changes
  const proxy: ProxyHop = {
    isSecure,
    serverName: 'proxy.test',
    port: Number(host.split(':')[1]),
    authorization: `Basic ${btoa(login)}`,
  }
  return { isSecure: toTls, serverName, port, addresses: ['127.0.0.1'], proxy }
}
