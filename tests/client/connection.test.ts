import { expect, test } from 'bun:test'
import { HoldallError } from '../../server/client/holdall-error.ts'
import { readBody } from '../../server/client/read-body.ts'
import { readEvents } from '../../server/client/read-events.ts'
import { openReconnects } from '../../server/client/reconnects.ts'

const AT_ONCE = { minDelayMs: 0, maxDelayMs: 0, maxFailures: 2 }
const BROKEN = new HoldallError('UNREACHABLE', 'The connection broke.')

test('A connection is tried again a limited number of times in a row', async () => {
  const reconnects = openReconnects(undefined, AT_ONCE)
  for (const _round of [1, 2]) {
    await reconnects.waitAfter(BROKEN)
    await reconnects.waitAfter(BROKEN)
    reconnects.succeeded()
  }
  await reconnects.waitAfter(BROKEN)
  await reconnects.waitAfter(BROKEN)
  await expect(reconnects.waitAfter(BROKEN)).rejects.toBe(BROKEN)
})

test.each([
  ['UNREACHABLE', undefined, true],
  ['UNAVAILABLE', 503, true],
  ['RATE_LIMITED', 429, true],
  ['UNREADABLE', 502, true],
  ['UNREADABLE', 200, false],
  ['UNAUTHORIZED', 401, false],
  ['NOT_FOUND', 404, false],
] as const)('After %s (%p), another attempt follows: %p', async (code, status, isTemporary) => {
  const error = new HoldallError(code, '', status === undefined ? {} : { status })
  const waited = openReconnects(undefined, AT_ONCE).waitAfter(error)
  expect(
    await waited.then(
      () => true,
      (thrown) => thrown !== error,
    ),
  ).toBe(isTemporary)
})

test('A wait ends with the reason of the signal', async () => {
  const stop = new AbortController()
  const reason = new Error('enough')
  const times = { ...AT_ONCE, minDelayMs: 1e8, maxDelayMs: 1e8 }
  const waiting = openReconnects(stop.signal, times).waitAfter(BROKEN)
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

test('A connection on which nothing arrives is UNREACHABLE', async () => {
  const silent = new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
  await expect(Array.fromAsync(readBody(async () => silent, 10))).rejects.toMatchObject({
    code: 'UNREACHABLE',
  })
  const never = (closed: AbortSignal) =>
    new Promise<Response>((_resolve, reject) => {
      closed.addEventListener('abort', () => reject(closed.reason))
    })
  await expect(Array.fromAsync(readBody(never, 10))).rejects.toMatchObject({ code: 'UNREACHABLE' })
})

test('Events arrive in pieces of any size', async () => {
  const bytes = new TextEncoder().encode('event: a\ndata: {"x":"é"}\n\n:\n\nevent: b\ndata: 1\n\n')
  for (let length = 1; length <= bytes.length; length++) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
      bytes.subarray(index * length, (index + 1) * length),
    )
    const stream = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
    const events = await Array.fromAsync(readEvents(async () => new Response(stream)))
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      ['a', '{"x":"é"}'],
      ['b', '1'],
    ])
  }
})
