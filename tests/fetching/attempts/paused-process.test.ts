// test group: idle
import { expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { startTcpServer } from '../../support/tcp-server.ts'
import { until } from '../../support/until.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'
/** Much longer than what a busy machine takes from one of the two processes. */
const LIMIT_MS = 4_000
/** Real time, because only a real pause of the process shows how its clock behaves. */
const PAUSE_MS = 6_000

test.concurrent.each([
  ['before the response begins', '', '', `${HEAD}0123456789`],
  ['in the middle of the body', `${HEAD}01234`, '01234', '56789'],
])(
  'a pause of the process %s causes no timeout, even if it is longer than the timeout',
  async (_when, before, begun, after) => {
    await using source = await startSource()
    const child = fetchOnce(source.url)
    const socket = await source.connected
    socket.write(before)
    await until('the child has read it', () => child.printed() === begun)
    child.kill('SIGSTOP')
    await Bun.sleep(PAUSE_MS)
    const ticks = child.ticks()
    child.kill('SIGCONT')
    await until('the timers of the child have run', () => child.ticks() >= ticks + 3)
    socket.write(after)
    await child.ended
    expect(child.printed()).toBe('0123456789')
  },
)

test.concurrent('a source that is silent while the process runs times out, also after a pause', async () => {
  await using source = await startSource()
  const child = fetchOnce(source.url)
  await source.connected
  child.kill('SIGSTOP')
  // A real pause, as above: the time in it must not count.
  await Bun.sleep(LIMIT_MS / 2)
  child.kill('SIGCONT')
  await child.ended
  expect(child.printed()).toBe('Timed out\n')
})

function fetchOnce(url: string) {
  const limits = { headersTimeoutMs: LIMIT_MS, connectTimeoutMs: LIMIT_MS, idleTimeoutMs: LIMIT_MS }
  const program = `${import.meta.dir}/../fetch-once.ts`
  const child = Bun.spawn([process.execPath, program, url, JSON.stringify(limits)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let dots = ''
  const ended = Promise.all([
    collect(child.stdout, (text) => {
      printed += text
    }),
    collect(child.stderr, (text) => {
      dots += text
    }),
  ])
  return {
    kill: (signal: 'SIGSTOP' | 'SIGCONT') => child.kill(signal),
    printed: () => printed,
    /** How often its timers have run. */
    ticks: () => dots.length,
    /** Resolves when it has closed its streams. */
    ended,
  }
}

async function collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const bytes of stream) add(decoder.decode(bytes, { stream: true }))
}

/** A source whose response is sent by the test. `connected` is the connection of the first request. */
async function startSource() {
  const connected = Promise.withResolvers<Socket>()
  const server = await startTcpServer((socket) => socket.once('data', () => connected.resolve(socket)))
  return { ...server, url: `http://${server.host}/`, connected: connected.promise }
}
