import { describe, expect, test } from 'bun:test'
import { type SpeedSample, timeLeftMs } from '../../ui/src/archive-page/time-left.ts'

describe('The remaining time of a job', () => {
  test('is estimated from the rate at which entries were finished', () => {
    expect(timeLeftMs([sample(0, 100), sample(10_000, 200)], 500)).toBe(30_000)
    expect(timeLeftMs([sample(0, 100), sample(5_000, 120), sample(10_000, 200)], 200)).toBe(0)
  })

  test('is unknown without enough samples or progress', () => {
    expect(timeLeftMs([], 500)).toBeNull()
    expect(timeLeftMs([sample(0, 100)], 500)).toBeNull()
    expect(timeLeftMs([sample(0, 100), sample(1_000, 200)], 500)).toBeNull()
    expect(timeLeftMs([sample(0, 100), sample(60_000, 100)], 500)).toBeNull()
  })
})

function sample(atMs: number, doneEntries: number): SpeedSample {
  return { atMs, bytesPerSecond: 0, doneEntries }
}
