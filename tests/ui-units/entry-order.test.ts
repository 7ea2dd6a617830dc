import { describe, expect, test } from 'bun:test'
import type { EntryJson } from '../../server/http/jobs/entry-schemas.ts'
import { nextSort, orderEntries } from '../../ui/src/archive-page/entries/entry-order.ts'

const ROWS = [
  entry(0, 'stored', 30),
  entry(1, 'failed', 0),
  entry(2, 'waiting', 0),
  entry(3, 'fetching', 70),
  entry(4, 'stored', 70),
  { ...entry(5, 'stored', 20), warning: { code: 'EMPTY', message: 'Nothing in it.' } },
] satisfies EntryJson[]

describe('The files of an archive', () => {
  test.each([
    ['position', false, [0, 1, 2, 3, 4, 5]],
    ['position', true, [5, 4, 3, 2, 1, 0]],
    ['size', false, [1, 2, 5, 0, 3, 4]],
    ['size', true, [3, 4, 0, 5, 1, 2]],
    ['status', false, [1, 5, 3, 2, 0, 4]],
    ['status', true, [0, 4, 2, 3, 5, 1]],
  ] as const)(
    'are sorted by %s (descending: %p), and those alike stand in the order of the URLs',
    (key, descending, order) => {
      expect(orderEntries(ROWS, 'all', { key, descending })).toEqual([...order])
    },
  )

  test('are only those that match the filter', () => {
    expect(orderEntries(ROWS, 'stored', { key: 'size', descending: true })).toEqual([4, 0])
    expect(orderEntries(ROWS, 'check', { key: 'position', descending: false })).toEqual([5])
    expect(orderEntries([], 'failed', { key: 'position', descending: false })).toEqual([])
  })

  test('are sorted with the largest size first, or ascending by any other column, and a second click reverses that', () => {
    const first = nextSort({ key: 'position', descending: false }, 'size')
    expect(first).toEqual({ key: 'size', descending: true })
    expect(nextSort(first, 'size')).toEqual({ key: 'size', descending: false })
    expect(nextSort(first, 'status')).toEqual({ key: 'status', descending: false })
  })
})

function entry(position: number, status: EntryJson['status'], size: number): EntryJson {
  return {
    position,
    status,
    size,
    expected_size: null,
    url: `https://a.test/${position}`,
    name: null,
    sha256: null,
    error: null,
    warning: null,
  }
}
