import { expect, test } from 'bun:test'
import { BusyPolling } from '../../server/engine/busy-polling.ts'

test('after a response, the thread of a job stays awake for half a millisecond, if the one before had just arrived', async () => {
  const thread = jobThread()
  thread.responseArrives({ afterMs: 0 })
  thread.responseArrives({ afterMs: 0.4 })
  expect(await thread.isAwake({ afterMs: 0.4 })).toBe(true)
  expect(await thread.isAwake({ afterMs: 0.2 })).toBe(false)
})

test('each further response keeps the thread awake for longer', async () => {
  const thread = jobThread()
  for (let count = 0; count < 10; count++) thread.responseArrives({ afterMs: 0.4 })
  expect(await thread.isAwake({ afterMs: 0.4 })).toBe(true)
  thread.responseArrives({ afterMs: 0 })
  expect(await thread.isAwake({ afterMs: 0.4 })).toBe(true)
})

test('the thread sleeps between responses that arrive one by one', async () => {
  const thread = jobThread()
  for (let count = 0; count < 10; count++) thread.responseArrives({ afterMs: 0.6 })
  expect(await thread.isAwake()).toBe(false)
})

test('the thread stays awake again when responses are fast again', async () => {
  const thread = jobThread()
  thread.responseArrives({ afterMs: 0 })
  thread.responseArrives({ afterMs: 0.1 })
  expect(await thread.isAwake({ afterMs: 10 })).toBe(false)
  thread.responseArrives({ afterMs: 0 })
  expect(await thread.isAwake()).toBe(false)
  thread.responseArrives({ afterMs: 0.1 })
  expect(await thread.isAwake()).toBe(true)
})

test('the thread sleeps while more jobs run than half of the processors', async () => {
  for (const [jobs, processors, awake] of [
    [1, 1, false],
    [1, 2, true],
    [2, 2, false],
    [4, 8, true],
    [5, 8, false],
  ] as const) {
    const thread = jobThread({ jobs, processors })
    thread.responseArrives({ afterMs: 0 })
    thread.responseArrives({ afterMs: 0.1 })
    expect([jobs, processors, await thread.isAwake()]).toEqual([jobs, processors, awake])
  }
})

test('beside a program that uses the processor for half of the time, the thread stays awake for 20 of 220 ms', async () => {
  const thread = jobThread({ share: 0.5 })
  expect(await thread.awakeMsIn(220)).toBeWithin(19, 22)
  expect(await thread.awakeMsIn(220)).toBeWithin(19, 22)
})

test('the thread stays awake if it can run for three quarters of the time', async () => {
  expect(await jobThread({ share: 0.75 }).awakeMsIn(440)).toBeGreaterThan(430)
})

test('time in which the thread sleeps does not count as time in which it could not run', async () => {
  const thread = jobThread()
  for (let burst = 0; burst < 100; burst++) {
    expect(await thread.awakeMsIn(4)).toBeGreaterThan(3)
    expect(await thread.isAwake({ afterMs: 0.6 })).toBe(false)
    thread.sleeps({ durationMs: 50 })
  }
})

test('short times in which the thread could not run are added up', async () => {
  const thread = jobThread({ share: 0.5 })
  let awakeMs = 0
  for (let burst = 0; burst < 20; burst++) {
    awakeMs += await thread.awakeMsIn(4)
    await thread.isAwake({ afterMs: 0.6 })
  }
  expect(awakeMs).toBeWithin(15, 30)
})

/**
 * A thread that looks at its clock in each turn of the event loop in which it stays awake.
 * @param share of the time in which the thread runs while it is awake
 */
function jobThread({ jobs = 1, processors = 2, share = 1 } = {}) {
  let nowMs = 1000
  let ranMs = 100
  let looks = 0
  const polling = new BusyPolling(() => jobs, {
    count: processors,
    ranMs: () => ranMs,
    nowMs() {
      looks += 1
      return nowMs
    },
  })
  const thread = {
    responseArrives({ afterMs }: { afterMs: number }) {
      nowMs += afterMs
      ranMs += afterMs * share
      polling.responseArrived()
    },
    sleeps({ durationMs }: { durationMs: number }) {
      nowMs += durationMs
    },
    async isAwake({ afterMs = 0 } = {}): Promise<boolean> {
      nowMs += afterMs
      ranMs += afterMs * share
      await turn()
      const before = looks
      await turn()
      return looks > before
    },
    /** How long the thread stays awake while a response arrives every quarter of a millisecond. */
    async awakeMsIn(durationMs: number): Promise<number> {
      let awakeMs = 0
      for (let passedMs = 0; passedMs < durationMs; passedMs += 0.25) {
        thread.responseArrives({ afterMs: 0.25 })
        if (await thread.isAwake()) awakeMs += 0.25
      }
      return awakeMs
    },
  }
  return thread
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
