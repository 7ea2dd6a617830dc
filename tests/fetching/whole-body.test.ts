import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { isBodyWhole } from '../../server/fetching/whole-body.ts'
import { listen } from '../support/tcp-server.ts'

/** A host that answers a request with the first part of its response, and sends the next one at each call of `sendNext`. */
async function startHost(...parts: readonly string[]) {
  let sendNext = () => {}
  const server = createServer((socket) => {
    const waiting = [...parts]
    sendNext = () => void socket.write(waiting.shift() ?? '')
    socket.once('data', sendNext)
    socket.on('error', () => {})
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    sendNext: () => sendNext(),
    [Symbol.dispose]: () => void server.close(),
  }
}

const response = (body: string, { reason = 'OK', declaredBytes = body.length } = {}) =>
  `HTTP/1.1 200 ${reason}\r\nConnection: close\r\nContent-Length: ${declaredBytes}\r\n\r\n${body}`

describe('a body that arrives together with the headers is whole', () => {
  test.each([
    ['of one byte', 1, 'OK', ''],
    ['of 200 bytes', 200, 'OK', ''],
    ['of 20 kB', 20_000, 'OK', ''],
    ['after a long reason phrase', 200, 'Fine, '.repeat(100), ''],
    ['after no reason phrase', 200, '', ''],
    ['of a long URL', 200, 'OK', `?${'long'.repeat(400)}`],
    ['of a URL that is not ASCII', 200, 'OK', 'Grüße/日本'],
  ])('%s', async (_, bytes, reason, path) => {
    const sent = 'b'.repeat(bytes)
    using host = await startHost(response(sent, { reason }))
    const fetched = await fetch(host.url + path)
    expect(isBodyWhole(fetched)).toBe(true)
    expect(await fetched.text()).toBe(sent)
  })
})

describe('a body that is still arriving is not whole', () => {
  test.each([
    ['when nothing of it has arrived', '', 'b'.repeat(200), 'OK'],
    ['when a part of it has arrived', 'b'.repeat(100), 'b'.repeat(100), 'OK'],
    ['when the reason phrase takes as much memory as the body', '', 'b'.repeat(200), 'ä'.repeat(200)],
  ])('%s', async (_, first, rest, reason) => {
    const declaredBytes = first.length + rest.length
    using host = await startHost(response(first, { reason, declaredBytes }), rest)
    const fetched = await fetch(host.url)
    expect(isBodyWhole(fetched)).toBe(false)
    host.sendNext()
    expect(await fetched.text()).toBe(first + rest)
  })

  test('when its length is not declared', async () => {
    using host = await startHost(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
      '0\r\n\r\n',
    )
    const fetched = await fetch(host.url)
    expect(isBodyWhole(fetched)).toBe(false)
    host.sendNext()
    expect(await fetched.text()).toBe('abc')
  })
})

test('an empty body is not called whole', async () => {
  using host = await startHost(response(''))
  expect(isBodyWhole(await fetch(host.url))).toBe(false)
})

test('what arrives after the declared length is not a part of the body', async () => {
  using host = await startHost(response('abcdef', { declaredBytes: 3 }))
  const fetched = await fetch(host.url)
  expect(isBodyWhole(fetched)).toBe(true)
  expect(await fetched.text()).toBe('abc')
})
