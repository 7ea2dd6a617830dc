import { describe, expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { Http1Client } from '../../../server/fetching/http1/client.ts'
import { startRawOrigin, whole } from '../../support/origin/raw-origin.ts'
import { makeSilent } from '../../support/origin/silent-address.ts'
import { refusedUrl } from '../../support/origin.ts'
import { listen } from '../../support/tcp-server.ts'
import { until } from '../../support/until.ts'
import { outcome, requestOnce } from './request-once.ts'

const SIGNAL = new AbortController().signal
/** So many that some of them go over a connection that served others before. */
const MANY = 60

test('a connection serves many requests', async () => {
  await using source = await startRawOrigin((socket, target) => void socket.write(whole(target)))
  using client = new Http1Client()
  for (let index = 0; index < MANY; index++) {
    expect(await outcome(client, source.host, { target: `/${index}` })).toBe(`/${index}`)
  }
  expect(source.connectionCount()).toBeLessThan(MANY / 2)
})

test.each([
  ['asks to close it', whole('hello', 'Connection: close\r\n')],
  ['speaks HTTP/1.0', whole('hello').replace('1.1', '1.0')],
  [
    'sends chunks beside a length',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  ],
])('a connection is not used again when the source %s', async (_name, response) => {
  await using source = await startRawOrigin((socket) => void socket.write(response))
  using client = new Http1Client()
  for (let index = 0; index < MANY; index++) expect(await outcome(client, source.host)).toBe('hello')
  expect(source.connectionCount()).toBe(MANY)
})

test.each([
  ['closes', (socket: Socket) => void socket.end()],
  ['resets', (socket: Socket) => void socket.resetAndDestroy()],
])(
  'a source that %s an idle connection when the next request comes gets it over another one',
  async (_name, end) => {
    await using source = await startRawOrigin((socket, target, index) => {
      if (index === 0) socket.write(whole(target))
      else end(socket)
    })
    using client = new Http1Client()
    for (let index = 0; index < MANY; index++) {
      expect(await outcome(client, source.host, { target: `/${index}` })).toBe(`/${index}`)
    }
  },
)

test('idle connections are closed when fewer are allowed, and at the end', async () => {
  const open = new Set<Socket>()
  await using source = await startRawOrigin((socket, target) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    if (open.size === 3) for (const one of open) one.write(whole(target))
  })
  const client = new Http1Client()
  await Promise.all([1, 2, 3].map(() => outcome(client, source.host, { target: '/' })))
  expect(open.size).toBe(3)
  client.allow(2)
  await until('two connections are open', () => open.size === 2)
  client[Symbol.dispose]()
  await until('no connection is open', () => open.size === 0)
})

describe('a caller that gives up', () => {
  test.each([
    ['before the head', ''],
    ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello'],
  ])('%s gets its own reason, and the connection is closed', async (_name, sent) => {
    const requested = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    await using source = await startRawOrigin((socket) => {
      socket.on('close', () => closed.resolve())
      socket.write(sent, () => requested.resolve())
    })
    using client = new Http1Client()
    const aborter = new AbortController()
    const request = requestOnce(client, source.host, { signal: aborter.signal })
    await requested.promise
    aborter.abort(new Error('given up'))
    await expect(request).rejects.toThrow('given up')
    await closed.promise
  })

  test('before the request sends none', async () => {
    await using source = await startRawOrigin(() => {})
    using client = new Http1Client()
    const signal = AbortSignal.abort(new Error('given up'))
    await expect(requestOnce(client, source.host, { signal })).rejects.toThrow('given up')
    expect(source.connectionCount()).toBe(0)
  })

  test('of a body that it does not read to its end closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    await using source = await startRawOrigin((socket) => {
      socket.on('close', () => closed.resolve())
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello')
    })
    using client = new Http1Client()
    {
      await using response = await request(client, source.host, ['127.0.0.1'])
      expect(response.status).toBe(200)
    }
    await closed.promise
  })
})

test('a slow reader makes the source wait', async () => {
  const sizeBytes = 64 * 1024 * 1024
  let sentBytes = 0
  await using source = await startRawOrigin(async (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${sizeBytes}\r\n\r\n`)
    const piece = new Uint8Array(1024 * 1024)
    for (; sentBytes < sizeBytes; sentBytes += piece.length) {
      if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve))
    }
  })
  using client = new Http1Client()
  const response = await request(client, source.host, ['127.0.0.1'])
  let lastBytes = -1
  const waits = () => {
    const isSame = lastBytes === sentBytes
    lastBytes = sentBytes
    return isSame
  }
  await until('the buffers of both sockets are full', waits, { everyMs: 100 })
  expect(sentBytes).toBeLessThan(sizeBytes / 2)
  let readBytes = 0
  for await (const piece of response) readBytes += piece.length
  expect(readBytes).toBe(sizeBytes)
})

describe('of several addresses', () => {
  test('the next one is used at once when one refuses', async () => {
    await using source = await startRawOrigin((socket) => void socket.write(whole('hello')))
    using client = new Http1Client()
    const refusing = Array.from({ length: 200 }, (_, n) => `127.0.1.${1 + n}`)
    // Waiting 250 ms for each would take 50 s.
    const signal = AbortSignal.timeout(25_000)
    const response = await request(client, source.host, ['::1', ...refusing, '127.0.0.1'], signal)
    expect(response.status).toBe(200)
  })

  test('the next one is tried after 250 ms when one is silent, and is the first from then on', async () => {
    await using source = await startRawOrigin(
      (socket) => void socket.write(whole('hello', 'Connection: close\r\n')),
    )
    using client = new Http1Client()
    const port = source.host.split(':')[1] ?? ''
    const ask = async () => {
      await using response = await request(client, source.host, ['127.0.0.2', '127.0.0.1'])
      return response.status
    }
    {
      await using _silent = await makeSilent('127.0.0.2', port)
      expect(await ask()).toBe(200)
    }
    let connections = 0
    await using silentBefore = createServer(() => connections++)
    await listen(silentBefore, '127.0.0.2', Number(port))
    expect(await ask()).toBe(200)
    expect([source.connectionCount(), connections]).toEqual([2, 0])
  })

  test('the failure of the last one is that of the request', async () => {
    using client = new Http1Client()
    const host = new URL(refusedUrl()).host
    await expect(request(client, host, ['127.0.0.1', '127.0.0.2'])).rejects.toMatchObject({
      reason: 'connect',
      code: 'ECONNREFUSED',
    })
  })

  test('an idle connection is used only if its address is among those of the request', async () => {
    await using source = await startRawOrigin((socket, target) => void socket.write(whole(target)))
    using client = new Http1Client()
    for (let index = 0; index < MANY; index++) await outcome(client, source.host)
    const before = source.connectionCount()
    await expect(request(client, source.host, ['127.0.0.2'])).rejects.toMatchObject({ reason: 'connect' })
    expect(source.connectionCount()).toBe(before)
  })
})

test('a caller that gives up a silent address does not wait for it', async () => {
  await using source = await startRawOrigin(() => {})
  await using _silent = await makeSilent('127.0.0.2', source.host.split(':')[1] ?? '')
  using client = new Http1Client()
  const signal = AbortSignal.timeout(50)
  await expect(request(client, source.host, ['127.0.0.2'], signal)).rejects.toThrow(
    'The operation timed out.',
  )
})

test('the caller is told when the connection is there', async () => {
  await using source = await startRawOrigin((socket, target) => void socket.write(whole(target)))
  using client = new Http1Client()
  let connected = 0
  for (let index = 0; index < MANY; index++) {
    await requestOnce(client, source.host, { onConnected: () => connected++ })
    expect(connected).toBeGreaterThan(index)
  }
})

function request(client: Http1Client, host: string, addresses: readonly string[], signal = SIGNAL) {
  return client.request({
    origin: { isSecure: false, serverName: 'source.test', port: Number(host.split(':').at(-1)), addresses },
    head: { method: 'GET', target: '/', headers: [['Host', 'source.test']] },
    signal,
  })
}
