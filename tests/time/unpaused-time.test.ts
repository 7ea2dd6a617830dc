import { expect, jest, test } from 'bun:test'
import { openUnpausedClock, runningMs } from '../../server/time/unpaused-time.ts'

test('the unpaused clock runs as long as it is read regularly, and does not count a pause', () => {
  let nowMs = 1_000
  const unpausedMs = openUnpausedClock(() => nowMs)
  const startMs = unpausedMs()
  for (let tick = 0; tick < 30; tick++) {
    nowMs += 100
    unpausedMs()
  }
  expect(unpausedMs() - startMs).toBe(3_000)
  nowMs += 40_000
  expect(unpausedMs() - startMs).toBe(3_000)
  nowMs += 100
  expect(unpausedMs() - startMs).toBe(3_100)
})

test('the clock of the process runs on while nobody reads it, for the longest wait that a host may ask for', () => {
  jest.useFakeTimers()
  try {
    for (const waitMs of [1_000, 10 * 60_000]) {
      const startMs = runningMs()
      jest.advanceTimersByTime(waitMs)
      expect(runningMs() - startMs).toBe(waitMs)
    }
  } finally {
    jest.useRealTimers()
  }
})
