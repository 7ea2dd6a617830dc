import { expect, test } from 'bun:test'
import { createAddressGuard } from '../../server/fetching/addresses/guard.ts'
import { CheckedResolver } from '../../server/fetching/addresses/resolver.ts'
import { attempt } from '../../server/notifiers/sending/attempt.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { startTcpServer } from '../support/tcp-server.ts'
import { createWebhook, untilDelivered } from '../support/webhooks.ts'

test('a redirect is not followed, and counts as a failure', async () => {
  await using service = await startService()
  await using receiver = startReceiver()
  receiver.respond(() => Response.redirect(receiver.url('/elsewhere'), 307))
  const { id } = await createWebhook(service, receiver.url())
  await service.request('POST', `/webhooks/${id}/test`)
  const [delivery] = await untilDelivered(service, id, service.key, 'failed')
  expect(delivery).toMatchObject({ response_status: 307, error: 'HTTP 307' })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

test('at most 64 KiB of an endless response are read, and its status counts', async () => {
  await using service = await startService()
  const closed = Promise.withResolvers<number>()
  await using server = await startTcpServer((socket) => {
    let sentBytes = 0
    const piece = Buffer.alloc(16_384, 'x')
    const send = () => {
      while (!socket.destroyed && socket.write(piece)) sentBytes += piece.length
      sentBytes += piece.length
    }
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n')
      send()
    })
    socket.on('drain', send)
    socket.on('close', () => closed.resolve(sentBytes))
  })
  const { id } = await createWebhook(service, `http://${server.host}/`)
  await service.request('POST', `/webhooks/${id}/test`)
  const [delivery] = await untilDelivered(service, id)
  expect(delivery.response_status).toBe(200)
  // More than was read is on its way: in the buffers of both sockets.
  expect(await closed.promise).toBeLessThan(20_000_000)
})

test('an attempt to a name that leads to a private address fails', async () => {
  await using service = await startService({ 'allow-network': ['10.0.0.0/8'] })
  for (const url of ['https://localhost:1/', 'http://localhost:1/']) {
    const { id } = await createWebhook(service, url)
    await service.request('POST', `/webhooks/${id}/test`)
    const [delivery] = await untilDelivered(service, id, service.key, 'failed')
    expect(delivery).toMatchObject({ error: 'Address not allowed', response_status: null })
  }
})

test("the service's own port is refused, also in an allowed network", async () => {
  await using service = await startService()
  const { id } = await createWebhook(service, `${service.origin}/sign-in`)
  await service.request('POST', `/webhooks/${id}/test`)
  expect(await untilDelivered(service, id, service.key, 'failed')).toMatchObject([
    { error: 'Address not allowed' },
  ])
})

test.each([
  ['http to a public address', 'http://93.184.215.14/', 'HTTPS required'],
  ['a port where nothing listens', 'http://127.0.0.1:1/', 'Connection refused'],
  ['a name without an address', 'https://nowhere.invalid/', 'Could not resolve host'],
])(
  'an attempt to %s fails',
  async (_what, url, error) => {
    expect(await attemptOf(url)).toEqual({ responseStatus: null, error })
  },
  180_000,
)

test('a receiver that does not respond in time has failed', async () => {
  await using receiver = startReceiver()
  receiver.respond(() => new Promise(() => {}))
  expect(await attemptOf(receiver.url(), 200)).toEqual({ responseStatus: null, error: 'Timed out' })
})

test('the status counts when the body does not end in time', async () => {
  await using server = await startTcpServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'))
  })
  // Long enough for the status on a busy machine.
  expect(await attemptOf(`http://${server.host}/`, 3_000)).toEqual({ responseStatus: 200, error: null })
})

test('a receiver that does not speak HTTP, or closes the connection, has failed', async () => {
  await using garbage = await startTcpServer((socket) => void socket.end('SSH-2.0-x\r\n'))
  await using closing = await startTcpServer((socket) => socket.once('data', () => socket.destroy()))
  expect((await attemptOf(`http://${garbage.host}/`))?.error).toBeString()
  expect((await attemptOf(`http://${closing.host}/`))?.error).toBe('Connection closed early')
})

/** What comes of an attempt where 127.0.0.0/8 is allowed. */
async function attemptOf(url: string, timeoutMs = 10_000) {
  const guard = createAddressGuard({ allowedNetworks: ['127.0.0.0/8'], ownPort: null }, () => [])
  const aborter = new AbortController()
  const context = { guard, resolver: new CheckedResolver(guard, aborter.signal), timeoutMs, ca: undefined }
  return await attempt({ url, headers: {}, body: '{}' }, context, aborter)
}
