import { expect, test } from 'bun:test'
import { ByteRanges } from '../../server/pulling/byte-ranges.ts'

test('Ranges that touch or overlap become one', () => {
  const ranges = new ByteRanges()
  for (const [start, end] of [
    [10, 20],
    [30, 40],
    [20, 30],
    [5, 8],
    [0, 3],
    [4, 5],
    [7, 7],
  ] as const)
    ranges.add(start, end)
  expect(ranges.all).toEqual([
    { start: 0, end: 3 },
    { start: 4, end: 8 },
    { start: 10, end: 40 },
  ])
  expect(ranges.bytes).toBe(37)
  expect(ranges.prefixBytes).toBe(3)
  expect(ranges.holes(2, 50)).toEqual([
    { start: 3, end: 4 },
    { start: 8, end: 10 },
    { start: 40, end: 50 },
  ])
  expect(ranges.holes(11, 39)).toEqual([])
})

test('Ranges say which bytes are there, whatever the order', () => {
  for (let seed = 1; seed < 200; seed++) {
    const ranges = new ByteRanges()
    const here = new Set<number>()
    for (let round = 0; round < 20; round++) {
      const start = (seed * 31 + round * 17 * seed) % 60
      const end = start + ((seed + round) % 7)
      ranges.add(start, end)
      for (let at = start; at < end; at++) here.add(at)
    }
    const missing = ranges
      .holes(0, 70)
      .flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i))
    expect(missing).toEqual(Array.from({ length: 70 }, (_, at) => at).filter((at) => !here.has(at)))
    expect(ranges.bytes).toBe(here.size)
  }
})
