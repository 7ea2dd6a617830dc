import { describe, expect, test } from 'bun:test'
import { type SpeedSample, timeLeftMs } from '../../ui/src/archive-page/time-left.ts'

describe('The remaining time of a job', () => {
  test('is estimated from the rate at which it advances', () => {
    expect(timeLeftMs([sample(0, 0.25), sample(10_000, 0.5)])).toBe(20_000)
    expect(timeLeftMs([sample(0, 0.25), sample(5_000, 0.3), sample(10_000, 0.75)])).toBe(5_000)
  })

  test('is unknown without enough samples or progress, and when a large file has turned up', () => {
    expect(timeLeftMs([])).toBeNull()
    expect(timeLeftMs([sample(0, 0.1)])).toBeNull()
    expect(timeLeftMs([sample(0, 0.1), sample(1_000, 0.2)])).toBeNull()
    expect(timeLeftMs([sample(0, 0.1), sample(60_000, 0.1)])).toBeNull()
    expect(timeLeftMs([sample(0, 0.9), sample(60_000, 0.1)])).toBeNull()
  })
})

function sample(atMs: number, doneFraction: number): SpeedSample {
  return { atMs, bytesPerSecond: 0, doneFraction }
}
