import { expect, test } from 'bun:test'
import { openUnpausedClock } from '../../server/time/unpaused-time.ts'

test('the unpaused clock runs as long as it is read regularly, and does not count a pause', () => {
  let nowMs = 1_000
  const runningMs = openUnpausedClock(() => nowMs)
  const startMs = runningMs()
  for (let tick = 0; tick < 30; tick++) {
    nowMs += 100
    runningMs()
  }
  expect(runningMs() - startMs).toBe(3_000)
  nowMs += 40_000
  expect(runningMs() - startMs).toBe(3_000)
  nowMs += 100
  expect(runningMs() - startMs).toBe(3_100)
})
