import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Http1Client, Http1Failure } from '../../../server/fetching/http1/client.ts'
import { startTcpServer } from '../../support/tcp-server.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { selfSigned, signed } from '../../support/test-certificates.ts'
import { outcome, requestOnce } from './request-once.ts'
import { startTlsOrigin } from './tls-origin.ts'

const dir = tempDir()
const NAME = 'source.test'
let authority = ''

beforeAll(async () => {
  authority = (await selfSigned(dir, 'authority.test')).cert
  await signed(dir, NAME, 'authority.test', 1)
  await signed(dir, NAME, 'authority.test', -1)
  await selfSigned(dir, 'alone.test')
})
afterAll(() => dir[Symbol.dispose]())

describe.each(['TLSv1_2', 'TLSv1_3'] as const)('%s', (version) => {
  /** A record of 2 bytes is as long as an alert. 3,000,000 bytes are read in many pieces. */
  describe.each([2, 10, 3_000_000])('a body of %d bytes without a length', (sizeBytes) => {
    test.each([
      ['close_notify and FIN', 'whole', 'x'.repeat(sizeBytes)],
      ['close_notify', 'notified', 'x'.repeat(sizeBytes)],
      ['FIN alone', 'cut', 'failed: tls-truncated'],
      ['FIN within a record', 'torn', 'failed: tls-truncated'],
      ['a reset', 'reset', 'failed: reset'],
    ])('that ends with %s', async (_name, ending, expected) => {
      await using source = await startTlsOrigin(dir, version)
      using client = new Http1Client({ ca: [authority] })
      const ended = await outcome(client, source.host, { isSecure: true, target: `/${ending}/${sizeBytes}` })
      expect(ended === expected ? 'as expected' : ended.slice(0, 60)).toBe('as expected')
    })
  })

  test('a session is resumed, and the certificate must still have the name', async () => {
    await using source = await startTlsOrigin(dir, version)
    using client = new Http1Client({ ca: [authority] })
    const request = () => requestOnce(client, source.host, { isSecure: true, target: '/length/5' })
    expect((await request()).headers.get('x-resumed')).toBe('False')
    client.allow(0)
    expect((await request()).headers.get('x-resumed')).toBe('True')
    const other = await failureOf(client, source.host, 'other.test')
    expect(other).toBe('tls: ERR_TLS_CERT_ALTNAME_INVALID')
  })
})

test('a certificate must be for the name, in time, and signed by someone who is trusted', async () => {
  await using source = await startTlsOrigin(dir, 'TLSv1_3')
  await using expired = await startTlsOrigin(dir, 'TLSv1_3', `${NAME}.-1`)
  await using alone = await startTlsOrigin(dir, 'TLSv1_3', 'alone.test')
  using client = new Http1Client({ ca: [authority] })
  using trusting = new Http1Client()
  expect(await failureOf(client, source.host, 'other.test')).toBe('tls: ERR_TLS_CERT_ALTNAME_INVALID')
  expect(await failureOf(client, expired.host, NAME)).toBe('tls: CERT_HAS_EXPIRED')
  expect(await failureOf(client, alone.host, 'alone.test')).toBe('tls: DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(await failureOf(trusting, source.host, NAME)).toBe('tls: UNABLE_TO_VERIFY_LEAF_SIGNATURE')
})

test('no variable of the environment turns the verification off, and NODE_EXTRA_CA_CERTS adds to other certificates', async () => {
  await using source = await startTlsOrigin(dir, 'TLSv1_3')
  await using alone = await startTlsOrigin(dir, 'TLSv1_3', 'alone.test')
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_EXTRA_CA_CERTS: dir.file('authority.test.crt') }
  const other = dir.file('alone.test.crt')
  expect(await requestIn(env, source.host, NAME)).toBe('200\n')
  expect(await requestIn(env, alone.host, 'alone.test')).toBe('tls: DEPTH_ZERO_SELF_SIGNED_CERT\n')
  expect(await requestIn(env, source.host, NAME, other)).toBe('200\n')
  expect(await requestIn(env, alone.host, 'alone.test', other)).toBe('200\n')
})

test.each([
  [
    'answers in plain HTTP',
    'tls',
    (socket: Bun.Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  ],
  [
    'refuses the version',
    'tls',
    (socket: Bun.Socket) => void socket.end(Uint8Array.of(0x15, 3, 3, 0, 2, 2, 70)),
  ],
  ['closes the connection', 'closed-early', (socket: Bun.Socket) => void socket.end()],
  ['resets the connection', 'reset', (socket: Bun.Socket) => void socket.terminate()],
])('a server that %s in the handshake: %s', async (_name, reason, answer) => {
  using server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: answer } })
  using client = new Http1Client()
  expect(await outcome(client, `127.0.0.1:${server.port}`, { isSecure: true })).toBe(`failed: ${reason}`)
})

test('a server that is silent in the handshake is given up when the caller says so', async () => {
  const connected = Promise.withResolvers<void>()
  await using server = await startTcpServer(() => connected.resolve())
  using client = new Http1Client()
  const aborter = new AbortController()
  const request = requestOnce(client, server.host, { isSecure: true, signal: aborter.signal })
  await connected.promise
  aborter.abort(new Error('given up'))
  await expect(request).rejects.toThrow('given up')
})

async function failureOf(client: Http1Client, host: string, serverName: string): Promise<string> {
  try {
    await requestOnce(client, host, { isSecure: true, serverName, target: '/length/5' })
    return 'none'
  } catch (error) {
    if (error instanceof Http1Failure) return error.message
    throw error
  }
}

/** The status or the failure, in a process with other variables. */
async function requestIn(
  env: Record<string, string>,
  host: string,
  serverName: string,
  ...ca: readonly string[]
): Promise<string> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'request-over-tls.ts'), host, serverName, ...ca],
    {
      env: { ...process.env, ...env },
    },
  )
  return await child.stdout.text()
}
