import { expect, test } from 'bun:test'
import { FETCH_LIMITS } from '../../../server/fetching/attempts/fetch-limits.ts'
import { StallTimer } from '../../../server/fetching/attempts/stall-timer.ts'

const TICK_MS = 100

test('each silent source times out once, whichever sources have ended meanwhile', async () => {
  const fired: number[] = []
  const timers: StallTimer[] = []
  const { promise: allFired, resolve } = Promise.withResolvers<void>()
  const start = (id: number) => {
    const onTimeout = () => {
      fired.push(id)
      if (fired.length === 4) resolve()
    }
    timers.push(new StallTimer({ ...FETCH_LIMITS, connectTimeoutMs: 1 }, onTimeout))
  }
  for (let id = 0; id < 6; id++) start(id)
  // The first, one in the middle twice, and the last.
  for (const id of [0, 3, 3, 5]) timers[id]?.[Symbol.dispose]()
  start(6)
  await allFired
  expect(fired.toSorted()).toEqual([1, 2, 4, 6])
})

test('a source is silent for as long as it was waited for, without the time in which received bytes were processed', () => {
  const { timer, events } = begin()
  timer.connected()
  timer.headersArrived()
  for (let waited = 0; waited < FETCH_LIMITS.idleTimeoutMs; waited += TICK_MS) timer.check(TICK_MS)
  expect(events).toEqual([])
  timer.waiting()
  for (let waited = 0; waited < FETCH_LIMITS.idleTimeoutMs; waited += TICK_MS) timer.check(TICK_MS)
  expect(events).toEqual([])
  timer.check(TICK_MS)
  expect(events).toEqual(['silent'])
})

test.each([
  ['to be connected to', 10, () => {}],
  ['with the first byte', 60, (timer: StallTimer) => timer.connected()],
  [
    'with the next bytes of a body',
    30,
    (timer: StallTimer) => {
      timer.connected()
      timer.headersArrived()
      timer.waiting()
    },
  ],
])('a source may take its time %s: %d seconds', (_what, seconds, advance) => {
  const { timer, events } = begin()
  advance(timer)
  for (let waited = 0; waited < seconds * 1000; waited += TICK_MS) timer.check(TICK_MS)
  expect(events).toEqual([])
  timer.check(TICK_MS)
  expect(events).toEqual(['silent'])
})

test('a source that can not be connected to times out sooner than one without headers', () => {
  const { timer, events } = begin()
  const wait = (waitedMs: number) => {
    for (let waited = 0; waited < waitedMs; waited += TICK_MS) timer.check(TICK_MS)
  }
  wait(FETCH_LIMITS.connectTimeoutMs)
  expect(events).toEqual([])
  timer.connected()
  wait(FETCH_LIMITS.headersTimeoutMs)
  expect(events).toEqual([])
  timer.check(TICK_MS)
  expect(events).toEqual(['silent'])

  const unconnected = begin()
  for (let waited = 0; waited <= FETCH_LIMITS.connectTimeoutMs; waited += TICK_MS)
    unconnected.timer.check(TICK_MS)
  expect(unconnected.events).toEqual(['silent'])
})

test.each([
  [1, true],
  [FETCH_LIMITS.minBytesPerSecond, false],
])('a source that sends %d bytes per tick is too slow: %p', (bytes, isTooSlow) => {
  const { timer, events } = begin()
  timer.connected()
  timer.headersArrived()
  for (let waited = 0; waited < FETCH_LIMITS.slowWindowMs; waited += TICK_MS) {
    timer.waiting()
    timer.check(TICK_MS)
    timer.received(bytes)
  }
  timer[Symbol.dispose]()
  expect(events).toEqual(isTooSlow ? ['slow'] : [])
})

/** A timer whose ticks are those of the test: the real ones come after the test, which doesn't wait. */
function begin() {
  const events: string[] = []
  const timer = new StallTimer(FETCH_LIMITS, (reason) => events.push(reason))
  return { timer, events }
}
