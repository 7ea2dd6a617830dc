import { expect, test } from 'bun:test'
import {
  type ConnectionThread,
  ThreadAllowances,
} from '../../../../server/engine/connections/pool/thread-allowances.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

/** A thread that notes how many connections it may have open. */
function openThread() {
  const thread = {
    count: 0,
    allowed: (connections: number) => {
      thread.count = connections
    },
  }
  return thread satisfies ConnectionThread
}

test('a thread keeps what it has released, until another thread needs it', () => {
  const allowances = new ThreadAllowances(4)
  const [first, second] = [openThread(), openThread()]
  for (let times = 0; times < 4; times++) allowances.held(first)
  allowances.released(first, 4)
  expect([first.count, second.count]).toEqual([4, 0])
  allowances.held(second)
  expect([first.count, second.count]).toEqual([3, 1])
  allowances.released(second)
  allowances.held(second)
  expect([first.count, second.count]).toEqual([3, 1])
  for (let times = 0; times < 3; times++) allowances.held(second)
  expect([first.count, second.count]).toEqual([0, 4])
})

test('the thread with the most idle connections gives one', () => {
  const allowances = new ThreadAllowances(6)
  const [busy, idle, other] = [openThread(), openThread(), openThread()]
  for (let times = 0; times < 4; times++) allowances.held(busy)
  for (let times = 0; times < 2; times++) allowances.held(idle)
  allowances.released(busy)
  allowances.released(idle, 2)
  allowances.held(other)
  expect([busy.count, idle.count, other.count]).toEqual([4, 1, 1])
})

test('whatever threads hold and release, each may have open what it holds, and all together no more than the total', () => {
  const random = seededRandom(11)
  const pick = (count: number) => Math.floor(random() * count)
  for (let round = 0; round < 200; round++) {
    const total = 1 + pick(20)
    const allowances = new ThreadAllowances(total)
    const threads = Array.from({ length: 1 + pick(6) }, () => ({ thread: openThread(), held: 0 }))
    for (let step = 0; step < 200; step++) {
      const one = threads[pick(threads.length)]
      if (one === undefined) throw new Error('there is no such thread')
      const heldInAll = threads.reduce((sum, { held }) => sum + held, 0)
      if (heldInAll < total && random() < 0.6) {
        one.held += 1
        allowances.held(one.thread)
      } else if (one.held > 0) {
        const count = 1 + pick(one.held)
        one.held -= count
        allowances.released(one.thread, count)
      }
      for (const { thread, held } of threads) expect(thread.count).toBeGreaterThanOrEqual(held)
      expect(threads.reduce((sum, { thread }) => sum + thread.count, 0)).toBeLessThanOrEqual(total)
    }
  }
})

test('with another total, idle connections above it are closed, and held ones stay until their release', () => {
  const allowances = new ThreadAllowances(6)
  const [busy, idle] = [openThread(), openThread()]
  for (let times = 0; times < 3; times++) allowances.held(busy)
  for (let times = 0; times < 3; times++) allowances.held(idle)
  allowances.released(idle, 3)
  allowances.changeTotal(4)
  expect([busy.count, idle.count]).toEqual([3, 1])
  allowances.changeTotal(2)
  expect([busy.count, idle.count]).toEqual([3, 0])
  allowances.released(busy, 2)
  allowances.held(idle)
  expect([busy.count, idle.count]).toEqual([1, 1])
  allowances.changeTotal(5)
  for (let times = 0; times < 3; times++) allowances.held(idle)
  expect([busy.count, idle.count]).toEqual([1, 4])
})
