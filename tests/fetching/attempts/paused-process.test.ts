// test group: idle
import { expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { startTcpServer } from '../../support/tcp-server.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'
/** Much longer than what a busy machine takes from one of the two processes. */
const LIMIT_MS = 4_000
/** Real time, because only a real pause of the process shows how its clock behaves. */
const PAUSE_MS = 6_000

test.concurrent.each([
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

test.concurrent('a source that is silent while the process runs times out, also after a pause', async () => {
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
  return Bun.spawn([process.execPath, `${import.meta.dir}/../fetch-once.ts`, url, JSON.stringify(limits)])
}

/** A source whose response is sent by the test. `connected` is the connection of the first request. */
async function startSource() {
  const connected = Promise.withResolvers<Socket>()
  const server = await startTcpServer((socket) => socket.once('data', () => connected.resolve(socket)))
  return { ...server, url: `http://${server.host}/`, connected: connected.promise }
}
