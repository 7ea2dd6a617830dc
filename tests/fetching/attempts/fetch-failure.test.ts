import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type net from 'node:net'
import tls from 'node:tls'
import {
  classifyNetworkError,
  FetchFailure,
  zipSizeLimitText,
} from '../../../server/fetching/attempts/fetch-failure.ts'
import { Http1Client, Http1Failure } from '../../../server/fetching/http1/client.ts'
import { isOutOfDescriptors } from '../../../server/files/descriptors.ts'
import { refusedUrl } from '../../support/origin.ts'
import { listen, startTcpServer } from '../../support/tcp-server.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { type Certificate, selfSigned, signed } from '../../support/test-certificates.ts'

/** Fetches like the engine, with the body, from a checked address under the name `source.test`, and returns the failure. */
async function failureFrom(text: string, ca: readonly string[] = []): Promise<FetchFailure | null> {
  const { protocol, hostname, port } = new URL(text)
  using client = new Http1Client({ ca })
  try {
    const response = await client.request({
      origin: {
        isSecure: protocol === 'https:',
        serverName: 'source.test',
        port: Number(port),
        addresses: [hostname],
      },
      head: { method: 'GET', target: '/', headers: [['Host', 'source.test']] },
      signal: new AbortController().signal,
    })
    await Array.fromAsync(response)
    return null
  } catch (error) {
    return classifyNetworkError(error)
  }
}

/** Responds to a request with these bytes, and then closes the connection. */
const answer = (text: string) => (socket: net.Socket) => {
  socket.once('data', () => socket.end(Buffer.from(text, 'latin1')))
}

/** The same, but resets the connection after a turn of the event loop, in which the client, in this process, reads the bytes. */
const answerThenReset = (text: string) => (socket: net.Socket) => {
  const reset = () => socket.resetAndDestroy()
  socket.once('data', () => socket.write(text, () => setImmediate(() => setImmediate(reset))))
}

const head = 'HTTP/1.1 200 OK\r\n'
const closedEarly = { text: 'Connection closed early', retryable: true }
const malformed = { text: 'Malformed response', retryable: false }
const noHandshake = { text: 'TLS handshake failed', retryable: true }
const notTrusted = { text: 'TLS certificate not trusted', retryable: false }

test('a port on which nothing listens is "Connection refused", which is retryable', async () => {
  const refused = { text: 'Connection refused', retryable: true }
  expect(await failureFrom(refusedUrl())).toMatchObject(refused)
  expect(await failureFrom(refusedUrl().replace('http:', 'https:'))).toMatchObject(refused)
})

describe('a connection that ends before the body does is retryable', () => {
  test.each([
    ['reset as soon as it is made', (socket: net.Socket) => void socket.resetAndDestroy()],
    ['closed as soon as it is made', (socket: net.Socket) => void socket.end()],
    ['closed before the head', answer('')],
    ['closed within the head', answer(`${head}Content-Le`)],
    ['reset within the head', answerThenReset(`${head}Content-Le`)],
    ['closed within a body of known length', answer(`${head}Content-Length: 100\r\n\r\nabc`)],
    ['reset within a body of known length', answerThenReset(`${head}Content-Length: 100\r\n\r\nabc`)],
    ['closed between two chunks', answer(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`)],
    ['closed within a chunk', answer(`${head}Transfer-Encoding: chunked\r\n\r\n9\r\nabc`)],
  ])('%s', async (_, handle) => {
    await using server = await startTcpServer(handle)
    expect(await failureFrom(`http://${server.host}/`)).toMatchObject(closedEarly)
  })
})

describe('a malformed response is not retryable', () => {
  const length = 'Content-Length: 3\r\n\r\nabc'
  test.each([
    ['another protocol', answer('SSH-2.0-OpenSSH_9.6\r\n')],
    ['a status that is not a number', answer(`HTTP/1.1 abc OK\r\n${length}`)],
    ['a header without a colon', answer(`${head}X\r\n${length}`)],
    ['a zero byte in a header', answer(`${head}X: \0\r\n${length}`)],
    ['a length that is not a number', answer(`${head}Content-Length: abc\r\n\r\nabc`)],
    ['a negative length', answer(`${head}Content-Length: -3\r\n\r\nabc`)],
    ['two lengths', answer(`${head}Content-Length: 4\r\n${length}`)],
    ['a length beyond any integer', answer(`${head}Content-Length: 99999999999999999999\r\n\r\nabc`)],
    ['a header of 3 MB', answer(`${head}X: ${'a'.repeat(3_000_000)}\r\n${length}`)],
    ['an unknown transfer encoding', answer(`${head}Transfer-Encoding: x-own\r\n\r\nabc`)],
    [
      'an upgrade to another protocol',
      answer('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    ['a broken chunk', answer(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`)],
    [
      'a chunk size beyond any integer',
      answer(`${head}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc\r\n`),
    ],
  ])('%s', async (_, handle) => {
    await using server = await startTcpServer(handle)
    expect(await failureFrom(`http://${server.host}/`)).toMatchObject(malformed)
  })
})

describe('TLS', () => {
  const dir = tempDir()
  let ca: string

  beforeAll(async () => {
    ca = (await selfSigned(dir, 'authority.test')).cert
  })

  afterAll(() => dir[Symbol.dispose]())

  /** Fetches from a checked address under the name `source.test`, from a server with this certificate. */
  async function failureWith(
    certificate: Certificate,
    trusted: string | undefined,
    options: tls.TlsOptions = {},
  ) {
    const server = tls.createServer({ ...certificate, ...options }, (socket) => {
      socket.on('error', () => {})
      answer(`${head}Content-Length: 0\r\nConnection: close\r\n\r\n`)(socket)
    })
    server.on('tlsClientError', () => {})
    using stack = new DisposableStack()
    stack.defer(() => server.close())
    const port = await listen(server)
    return await failureFrom(`https://127.0.0.1:${port}/`, trusted === undefined ? [] : [trusted])
  }

  test('a certificate for the name, from a trusted authority, is accepted', async () => {
    expect(await failureWith(await signed(dir, 'source.test', 'authority.test', 2), ca)).toBeNull()
  })

  test('a certificate of an unknown authority is not retryable', async () => {
    const certificate = await signed(dir, 'source.test', 'authority.test', 2)
    expect(await failureWith(certificate, undefined)).toMatchObject(notTrusted)
  })

  test('a self-signed certificate is not retryable', async () => {
    expect(await failureWith(await selfSigned(dir, 'source.test'), ca)).toMatchObject(notTrusted)
  })

  test('a certificate for another name is not retryable', async () => {
    expect(await failureWith(await signed(dir, 'other.test', 'authority.test', 2), ca)).toMatchObject(
      notTrusted,
    )
  })

  test('an expired certificate is not retryable', async () => {
    expect(await failureWith(await signed(dir, 'source.test', 'authority.test', -1), ca)).toMatchObject(
      notTrusted,
    )
  })

  test('a server that supports only obsolete TLS versions is "TLS handshake failed"', async () => {
    const old: tls.TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }
    const certificate = await signed(dir, 'source.test', 'authority.test', 2)
    expect(await failureWith(certificate, ca, old)).toMatchObject(noHandshake)
  })

  test('a server that requires a client certificate is "TLS handshake failed"', async () => {
    const strict: tls.TlsOptions = { requestCert: true, rejectUnauthorized: true }
    const certificate = await signed(dir, 'source.test', 'authority.test', 2)
    expect(await failureWith(certificate, ca, strict)).toMatchObject(noHandshake)
  })

  test.each([
    ['a server without TLS', answer('HTTP/1.1 400 Bad Request\r\n\r\n'), noHandshake],
    ['an alert in place of a handshake', answer('\x15\x03\x03\x00\x02\x02\x28'), noHandshake],
    ['a connection closed within the handshake', answer(''), closedEarly],
    ['a connection reset within the handshake', answerThenReset('\x16\x03\x03'), closedEarly],
  ])('%s', async (_, handle, failure) => {
    await using server = await startTcpServer(handle)
    expect(await failureFrom(`https://${server.host}/`)).toMatchObject(failure)
  })
})

test('a lack of descriptors stays recognisable', () => {
  const failure = classifyNetworkError(new Http1Failure('connect', 'EMFILE'))
  expect(failure).toMatchObject({ text: 'Connection failed', retryable: true })
  expect(isOutOfDescriptors(failure)).toBe(true)
})

describe('other errors', () => {
  const withCode = (code: string) => Object.assign(new TypeError('fetch failed'), { code })

  test.each([
    ['ETIMEDOUT', 'Timed out', true],
    ['EHOSTUNREACH', 'Connection failed', true],
    ['ENETUNREACH', 'Connection failed', true],
    ['EMFILE', 'Connection failed', true],
    ['INVALID_CA', 'TLS certificate not trusted', false],
    ['CERT_NOT_YET_VALID', 'TLS certificate not trusted', false],
    ['PATH_LENGTH_EXCEEDED', 'TLS certificate not trusted', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS handshake failed', true],
  ])('%s is "%s"', (code, text, retryable) => {
    const error = withCode(code)
    expect(classifyNetworkError(error)).toMatchObject({ text, retryable, cause: error })
  })

  test.each([
    ['an error without a code', new Error('odd')],
    ['a text', 'odd'],
    ['undefined', undefined],
  ])('an unknown error is "Connection failed": %s', (_, error) => {
    expect(classifyNetworkError(error)).toMatchObject({ text: 'Connection failed', retryable: true })
  })

  test('a time limit that has passed is "Timed out"', () => {
    const failure = classifyNetworkError(new DOMException('The operation timed out.', 'TimeoutError'))
    expect(failure).toMatchObject({ text: 'Timed out', retryable: true })
  })

  test('a failure that has its words already keeps them', () => {
    const failure = new FetchFailure('Address not allowed')
    expect(classifyNetworkError(failure)).toBe(failure)
  })
})

describe('a failure', () => {
  test.each([408, 425, 429, 500, 502, 503, 504])('with HTTP %d is retryable', (status) => {
    expect(new FetchFailure(`HTTP ${status}`)).toMatchObject({ retryable: true, retryAfterMs: null })
  })

  test.each([400, 401, 403, 404, 410, 416, 501, 505])('with HTTP %d is not retryable', (status) => {
    expect(new FetchFailure(`HTTP ${status}`)).toMatchObject({ retryable: false })
  })

  test('keeps the time to wait that the source requests', () => {
    expect(new FetchFailure('HTTP 429', { retryAfterMs: 3_000 })).toMatchObject({ retryAfterMs: 3_000 })
  })

  test.each([
    [2_000_000_000, 'ZIP size limit exceeded (2 GB)'],
    [50_000_000_000, 'ZIP size limit exceeded (50 GB)'],
    [1_500_000_000, 'ZIP size limit exceeded (1.5 GB)'],
    [200_000_000, 'ZIP size limit exceeded (200 MB)'],
    [12_345_678, 'ZIP size limit exceeded (12.34 MB)'],
    [999_999_999, 'ZIP size limit exceeded (999.99 MB)'],
    [1_000, 'ZIP size limit exceeded (1 KB)'],
    [999, 'ZIP size limit exceeded (999 B)'],
  ])('of the size limit of %d bytes is "%s"', (limitBytes, text) => {
    expect<string>(zipSizeLimitText(limitBytes)).toBe(text)
  })
})
