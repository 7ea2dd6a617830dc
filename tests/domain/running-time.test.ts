import { expect, test } from 'bun:test'
import { createRunningTime } from '../../server/running-time.ts'

test('running time goes on while it is asked for, and a pause is no part of it', () => {
  let nowMs = 1_000
  const runningMs = createRunningTime(() => nowMs)
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
