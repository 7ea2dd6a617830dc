import { expect, test } from 'bun:test'
import { growth, MAX_GROWTH } from '../../support/cpu-time.ts'
import { movedBytes, times } from './gap-layouts.ts'

test('the time to plan moves grows in proportion to the number of gaps and entries', () => {
  const plan = (count: number) => {
    const layout = times(count, [100_000, 50_000], [20_000, 200_000])
    expect(movedBytes(layout)).toBeLessThanOrEqual(count * 250_000)
  }
  expect(growth(8_000, plan)).toBeLessThan(MAX_GROWTH)
})
