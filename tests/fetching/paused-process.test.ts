import { expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'
const LIMIT_MS = 1_500
/** Uses real time: only a real pause of the process shows how a real clock behaves after it. */
const PAUSE_MS = 2_500

test.each([
  ['before the response begins', '', `${HEAD}0123456789`],
  ['in the middle of the body', `${HEAD}01234`, '56789'],
])(
  'a pause of the process %s causes no timeout, even if it is longer than the timeout',
  async (_when, before, after) => {
    await using source = await startSource()
    const child = fetchOnce(source.url)
    const socket = await source.connected
    socket.write(before)
    await Bun.sleep(300)
    child.kill('SIGSTOP')
    await Bun.sleep(PAUSE_MS)
    child.kill('SIGCONT')
    await Bun.sleep(300)
    socket.write(after)
    expect(await new Response(child.stdout).text()).toBe('0123456789')
  },
)

test('a source that is silent while the process runs times out, also after a pause', async () => {
  await using source = await startSource()
  const child = fetchOnce(source.url)
  await source.connected
  child.kill('SIGSTOP')
  await Bun.sleep(LIMIT_MS / 2)
  child.kill('SIGCONT')
  expect(await new Response(child.stdout).text()).toBe('Timed out\n')
})

function fetchOnce(url: string) {
  const limits = { headersTimeoutMs: LIMIT_MS, connectTimeoutMs: LIMIT_MS, idleTimeoutMs: LIMIT_MS }
  return Bun.spawn([process.execPath, `${import.meta.dir}/fetch-once.ts`, url, JSON.stringify(limits)])
}

/** Accepts, reads, and leaves the answer to the test. The first connection is the fetch's. */
async function startSource() {
  const connected = Promise.withResolvers<Socket>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => connected.resolve(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The source has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    connected: connected.promise,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
