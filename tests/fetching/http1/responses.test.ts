import { describe, expect, test } from 'bun:test'
import { Http1Client } from '../../../server/fetching/http1/client.ts'
import { sendByteByByte, startRawOrigin, whole } from '../../support/origin/raw-origin.ts'
import { outcome, requestOnce } from './request-once.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const MANY_HEADERS = Array.from({ length: 300 }, (_, index) => `X-${index}: v\r\n`).join('')

/** Responses after which the source closes the connection, and what the client makes of them. */
const RESPONSES: readonly (readonly [name: string, response: string, outcome: string])[] = [
  ['a length', whole('hello'), 'hello'],
  ['an empty body', whole(''), ''],
  ['the end of the connection', `${HEAD}\r\nhello`, 'hello'],
  ['chunks', `${CHUNKED}3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`, 'hello'],
  [
    'sizes of chunks with padding and extensions',
    `${CHUNKED}003  \r\nhel\r\n2;a="b"\r\nlo\r\n0 \r\n\r\n`,
    'hello',
  ],
  ['trailers', `${CHUNKED}5\r\nhello\r\n0\r\nDigest: x\r\n\r\n`, 'hello'],
  [
    'chunks and a length, which does not count',
    CHUNKED.replace('\r\n\r\n', '\r\nContent-Length: 99\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    'hello',
  ],
  ['the same length twice', `${HEAD}Content-Length: 5, 5\r\nContent-Length: 5\r\n\r\nhello`, 'hello'],
  ['a space before the colon', `${HEAD}Content-Length : 5\r\n\r\nhello`, 'hello'],
  ['a folded header', `${HEAD}X: a\r\n  b\r\nContent-Length: 5\r\n\r\nhello`, 'hello'],
  ['300 headers', `${HEAD}${MANY_HEADERS}Content-Length: 5\r\n\r\nhello`, 'hello'],
  ['lines that end with LF', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello', 'hello'],
  ['no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello', 'hello'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', 'hello'],
  [
    'informational responses first',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${whole('hello')}`,
    'hello',
  ],
  ['204 with a length', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', ''],
  ['a body shorter than its length', `${HEAD}Content-Length: 9\r\n\r\nhello`, 'failed: closed-early'],
  ['chunks without the last one', `${CHUNKED}5\r\nhello\r\n`, 'failed: closed-early'],
  ['a last chunk without the blank line', `${CHUNKED}5\r\nhello\r\n0\r\n`, 'failed: closed-early'],
  ['a chunk that is cut', `${CHUNKED}9\r\nhello`, 'failed: closed-early'],
  ['a head that is cut', `${HEAD}Content-Le`, 'failed: closed-early'],
  ['nothing', '', 'failed: closed-early'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'failed: malformed'],
  ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n', 'failed: malformed'],
  ['a status that is not a number', 'HTTP/1.1 abc OK\r\n\r\n', 'failed: malformed'],
  ['an unrequested upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n', 'failed: malformed'],
  ['a header without a colon', `${HEAD}abc\r\n\r\n`, 'failed: malformed'],
  ['a space in the name of a header', `${HEAD}a b: c\r\n\r\n`, 'failed: malformed'],
  ['a zero byte in a header', `${HEAD}X: \0\r\n\r\n`, 'failed: malformed'],
  ['a fold before the first header', `${HEAD} X: a\r\n\r\n`, 'failed: malformed'],
  ['lengths that differ', `${HEAD}Content-Length: 5, 6\r\n\r\nhello`, 'failed: malformed'],
  ['a negative length', `${HEAD}Content-Length: -5\r\n\r\nhello`, 'failed: malformed'],
  ['a length in hexadecimal', `${HEAD}Content-Length: 0x5\r\n\r\nhello`, 'failed: malformed'],
  ['a length beyond any file', `${HEAD}Content-Length: 99999999999999999999\r\n\r\n`, 'failed: malformed'],
  ['another transfer coding', `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n`, 'failed: malformed'],
  ['chunked twice', `${HEAD}Transfer-Encoding: chunked, chunked\r\n\r\n`, 'failed: malformed'],
  ['bytes after a chunk', `${CHUNKED}2\r\nokX\r\n0\r\n\r\n`, 'failed: malformed'],
  ['a chunk size that is not a number', `${CHUNKED}x\r\nok\r\n`, 'failed: malformed'],
  ['a size of a chunk beyond any file', `${CHUNKED}fffffffffffffff\r\nok\r\n`, 'failed: malformed'],
]

describe.each(RESPONSES)('%s', (_name, response, expected) => {
  test('in one write', async () => {
    await using source = await startRawOrigin((socket) => void socket.end(response, 'latin1'))
    using client = new Http1Client()
    expect(await outcome(client, source.host)).toBe(expected)
  })

  test('byte by byte', async () => {
    await using source = await startRawOrigin(async (socket) => {
      await sendByteByByte(socket, response)
      socket.end()
    })
    using client = new Http1Client()
    expect(await outcome(client, source.host)).toBe(expected)
  })
})

test('a head may have 256 KiB, and no more, informational responses included', async () => {
  await using source = await startRawOrigin((socket, target) => {
    const [size = 0, count = 0] = target.slice(1).split('x').map(Number)
    const hint = `HTTP/1.1 103 Early Hints\r\nX: ${'y'.repeat(size)}\r\n\r\n`
    socket.end(`${hint.repeat(count)}${whole('hello', `X: ${'y'.repeat(size)}\r\n`)}`)
  })
  using client = new Http1Client()
  expect(await outcome(client, source.host, { target: '/250000x0' })).toBe('hello')
  expect(await outcome(client, source.host, { target: '/270000x0' })).toBe('failed: malformed')
  expect(await outcome(client, source.host, { target: '/2000x120' })).toBe('hello')
  expect(await outcome(client, source.host, { target: '/2000x140' })).toBe('failed: malformed')
})

test('a reset before the end of a body without a length is a failure', async () => {
  let reset = () => {}
  await using source = await startRawOrigin((socket) => {
    socket.write(`${HEAD}\r\nhello`)
    reset = () => socket.resetAndDestroy()
  })
  using client = new Http1Client()
  const response = await client.request({
    origin: {
      isSecure: false,
      serverName: 'source.test',
      port: Number(source.host.split(':')[1]),
      addresses: ['127.0.0.1'],
    },
    head: { method: 'GET', target: '/', headers: [['Host', 'source.test']] },
    signal: new AbortController().signal,
  })
  reset()
  await expect(Array.fromAsync(response)).rejects.toMatchObject({ reason: 'reset' })
})

test('a response to HEAD has no body, whatever its length', async () => {
  await using source = await startRawOrigin((socket, target) => {
    socket.write(target === '/head' ? `${HEAD}Content-Length: 5\r\n\r\n` : whole('hello'))
  })
  using client = new Http1Client()
  expect(await outcome(client, source.host, { method: 'HEAD', target: '/head' })).toBe('')
  expect(await outcome(client, source.host)).toBe('hello')
})

test('headers are found in any case, with one character per byte', async () => {
  const utf8 = Buffer.from('Ã\u00a0 ', 'latin1').toString('latin1')
  await using source = await startRawOrigin(
    (socket) =>
      void socket.end(whole('', `X-Name: ${utf8}\r\nSet-Cookie: a=1\r\nset-cookie:\tb=2 \r\n`), 'latin1'),
  )
  using client = new Http1Client()
  const { headers } = await requestOnce(client, source.host)
  // 0xA0 belongs to the value: it is the second byte of `à`.
  expect(headers.get('x-name')).toBe('Ã\u00a0')
  expect(headers.get('SET-COOKIE')).toBe('a=1, b=2')
  expect(headers.getAll('Set-Cookie')).toEqual(['a=1', 'b=2'])
  expect(headers.get('etag')).toBeNull()
  expect(headers.getAll('etag')).toEqual([])
})

test('each piece of a body is alone in its buffer', async () => {
  const chunks = Array.from({ length: 100 }, () => '5\r\nhello\r\n').join('')
  await using source = await startRawOrigin((socket) => void socket.end(`${CHUNKED}${chunks}0\r\n\r\n`))
  using client = new Http1Client()
  const { pieces, body } = await requestOnce(client, source.host)
  expect(body).toBe('hello'.repeat(100))
  expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length)
})
