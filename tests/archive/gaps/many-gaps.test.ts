import { expect, test } from 'bun:test'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../../support/hostile-input.ts'
import { movedBytes, times } from './gap-layouts.ts'

test('the moves that close 200,000 gaps are planned in less than two seconds', () => {
  const layout = times(100_000, [100_000, 50_000], [20_000, 200_000])
  const plan = () => expect(movedBytes(layout)).toBeLessThanOrEqual(100_000 * 250_000)
  expect(processorSeconds(plan)).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
})
