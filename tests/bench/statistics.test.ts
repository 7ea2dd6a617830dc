import { describe, expect, test } from 'bun:test'
import { median, ratios, summarize } from './statistics.ts'

describe('The median', () => {
  test('is the middle of an odd number of values, in any order', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([100, 9, 10])).toBe(10)
  })

  test('is the mean of the two middle values of an even number', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5)
  })

  test('of one value is that value, and without values is NaN', () => {
    expect(median([7])).toBe(7)
    expect(median([])).toBeNaN()
  })

  test('does not change the order of its values', () => {
    const values = [3, 1, 2]
    median(values)
    expect(values).toEqual([3, 1, 2])
  })
})

describe('A summary', () => {
  test('has the median, the spread and the number of values', () => {
    expect(summarize([5, 2, 8, 3])).toEqual({ median: 4, min: 2, max: 8, count: 4 })
  })

  test('of no values is null', () => {
    expect(summarize([])).toBeNull()
  })
})

describe('Ratios', () => {
  test('compare the values of the same round', () => {
    expect(ratios([2, 6, 3], [1, 2, 3])).toEqual([2, 3, 1])
  })

  test('stay the same when the machine becomes slower between two rounds', () => {
    const slower = ratios([2, 20], [1, 10])
    expect(summarize(slower)).toEqual({ median: 2, min: 2, max: 2, count: 2 })
  })

  test('throw if a round lacks one of the two values', () => {
    expect(() => ratios([1, 2], [1])).toThrow('2 values cannot be compared with 1')
  })
})
