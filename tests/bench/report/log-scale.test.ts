import { expect, test } from 'bun:test'
import { logScale } from './log-scale.ts'

test('Equal ratios have equal distances on a logarithmic axis', () => {
  const { at } = logScale([1, 1000], 0, 300)
  expect(at(10) - at(1)).toBeCloseTo(at(1000) - at(100))
  expect(at(1)).toBeGreaterThan(0)
  expect(at(1000)).toBeLessThan(300)
})

test('The positions of an axis can decrease', () => {
  const { at } = logScale([0.1, 10], 200, 0)
  expect(at(10)).toBeLessThan(at(0.1))
})

test('The ticks of a long axis are powers of ten, and a short one has more', () => {
  expect(logScale([1, 5000], 0, 1).ticks).toEqual([1, 10, 100, 1000])
  expect(logScale([0.02, 9], 0, 1).ticks).toEqual([0.03, 0.1, 0.3, 1, 3, 10])
  expect(logScale([1, 16], 0, 1).ticks).toEqual([1, 2, 5, 10, 20])
  expect(logScale([0.02, 0.3], 0, 1).ticks).toEqual([0.02, 0.05, 0.1, 0.2])
})
