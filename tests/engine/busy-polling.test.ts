import { expect, test } from 'bun:test'
import { BusyPolling } from '../../server/engine/busy-polling.ts'

test('after a response, the thread of a job stays awake for half a millisecond, if the one before had just arrived', async () => {
  const thread = jobThread({ jobs: 1, processors: 2 })
  thread.responseArrives({ afterMs: 0 })
  thread.responseArrives({ afterMs: 0.4 })
  expect(await thread.isAwake({ afterMs: 0.4 })).toBe(true)
  expect(await thread.isAwake({ afterMs: 0.2 })).toBe(false)
})

test('each further response keeps the thread awake for longer', async () => {
  const thread = jobThread({ jobs: 1, processors: 2 })
  for (let count = 0; count < 10; count++) thread.responseArrives({ afterMs: 0.4 })
  expect(await thread.isAwake({ afterMs: 0.4 })).toBe(true)
  thread.responseArrives({ afterMs: 0 })
  expect(await thread.isAwake({ afterMs: 0.4 })).toBe(true)
})

test('the thread sleeps between responses that arrive one by one', async () => {
  const thread = jobThread({ jobs: 1, processors: 2 })
  for (let count = 0; count < 10; count++) thread.responseArrives({ afterMs: 0.6 })
  expect(await thread.isAwake({ afterMs: 0 })).toBe(false)
})

test('the thread stays awake again when responses are fast again', async () => {
  const thread = jobThread({ jobs: 1, processors: 2 })
  thread.responseArrives({ afterMs: 0 })
  thread.responseArrives({ afterMs: 0.1 })
  expect(await thread.isAwake({ afterMs: 10 })).toBe(false)
  thread.responseArrives({ afterMs: 0 })
  expect(await thread.isAwake({ afterMs: 0 })).toBe(false)
  thread.responseArrives({ afterMs: 0.1 })
  expect(await thread.isAwake({ afterMs: 0 })).toBe(true)
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
    expect([jobs, processors, await thread.isAwake({ afterMs: 0 })]).toEqual([jobs, processors, awake])
  }
})

/** A thread that looks at its clock in each turn of the event loop in which it stays awake. */
function jobThread({ jobs, processors }: { jobs: number; processors: number }) {
  let nowMs = 1000
  let looks = 0
  const look = () => {
    looks += 1
    return nowMs
  }
  const polling = new BusyPolling(() => jobs, processors, look)
  return {
    responseArrives({ afterMs }: { afterMs: number }) {
      nowMs += afterMs
      polling.responseArrived()
    },
    async isAwake({ afterMs }: { afterMs: number }): Promise<boolean> {
      nowMs += afterMs
      await turn()
      const before = looks
      await turn()
      return looks > before
    },
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
