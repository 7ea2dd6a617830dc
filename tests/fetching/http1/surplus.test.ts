import { describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { Http1Client } from '../../../server/fetching/http1/client.ts'
import { startRawOrigin, whole } from '../../support/origin/raw-origin.ts'
import { until } from '../../support/until.ts'
import { outcome, requestOnce } from './request-once.ts'

const FOREIGN = whole('of nobody')
const URLS = 25

describe.each([1, 8])('with %d requests at a time', (concurrency) => {
  test.each([0, 0.2, 0.5, 1, 2])(
    'a second response, %d ms after the first, never becomes the body of another URL',
    async (delayMs) => {
      await using source = await startRawOrigin(async (socket, target) => {
        socket.write(whole(target))
        await writeAfter(socket, delayMs, FOREIGN)
      })
      expect(await wrongBodies(source.host, concurrency)).toEqual([])
    },
  )

  test.each([0, 0.2, 0.5, 1, 2])(
    'a second response behind the end of the last chunk, which comes %d ms late, never becomes the body of another URL',
    async (delayMs) => {
      await using source = await startRawOrigin(async (socket, target) => {
        const size = target.length.toString(16)
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n${target}\r\n0\r\n`)
        await writeAfter(socket, delayMs, `\r\n${FOREIGN}`)
      })
      expect(await wrongBodies(source.host, concurrency)).toEqual([])
    },
  )
})

test('bytes in the same write after a body are not part of it, and end all reuse of connections to the origin', async () => {
  await using source = await startRawOrigin((socket, target) => {
    socket.write(target === '/surplus' ? `${whole('hello')}x` : whole(target))
  })
  using client = new Http1Client()
  expect(await outcome(client, source.host, { target: '/surplus' })).toBe('hello')
  expect(await outcome(client, source.host, { target: '/1' })).toBe('/1')
  expect(await outcome(client, source.host, { target: '/2' })).toBe('/2')
  expect(source.connectionCount()).toBe(3)
})

test('a response that a foreign one may have replaced is doubtful as soon as its own arrives', async () => {
  const own: (() => void)[] = []
  await using source = await startRawOrigin((socket, target, index) => {
    socket.write(index === 0 ? whole(target) : FOREIGN)
    if (index > 0) own.push(() => socket.write(whole(target)))
  })
  using client = new Http1Client()
  const first = await requestOnce(client, source.host, { target: '/first' })
  // The first few URLs of a near host are fetched over connections of their own.
  const reused = await until('a connection is used again', async () => {
    const next = await requestOnce(client, source.host, { target: '/next' })
    return next.body === 'of nobody' && next
  })
  expect(reused.response.isDoubtful).toBe(false)
  for (const send of own) send()
  await until('the response is doubtful', () => reused.response.isDoubtful)
  expect(first.response.isDoubtful).toBe(false)
})

/** The bodies that belong to another URL. */
async function wrongBodies(host: string, concurrency: number): Promise<string[]> {
  const wrong: string[] = []
  using client = new Http1Client()
  let next = 0
  const fetchNext = async () => {
    while (next < URLS) {
      const target = `/${next++}`
      const body = await outcome(client, host, { target })
      if (body !== target) wrong.push(`${target}: ${body}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, fetchNext))
  return wrong
}

/** Timers are too coarse for that. Another process would make the load, not the delay, decide when it is written. */
async function writeAfter(socket: Socket, delayMs: number, text: string): Promise<void> {
  const dueMs = performance.now() + delayMs
  while (performance.now() < dueMs) await new Promise((resolve) => setImmediate(resolve))
  socket.write(text)
}
