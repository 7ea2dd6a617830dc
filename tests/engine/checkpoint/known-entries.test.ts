import { expect, test } from 'bun:test'
import type { CheckpointEntry, PartialEntry } from '../../../server/engine/checkpoint/checkpoint.ts'
import { KnownEntries } from '../../../server/engine/checkpoint/known-entries.ts'
import { storedEntryAt } from '../../support/stored-entry.ts'

const none = { entries: [], settledBytes: 0 }

/** A body in place of which some bytes have arrived. */
function partialEntryAt(position: number, offset: number, lengthBytes: number): PartialEntry {
  const { status: _, ...space } = storedEntryAt(position, offset, lengthBytes)
  return { ...space, status: 'partial', stretches: [{ start: 0, end: 10, crc32: 0 }] }
}

test('A whole entry is found where it begins, also while others move to where it was', () => {
  const known = new KnownEntries(none)
  const [first, second] = [storedEntryAt(0, 0, 500), storedEntryAt(1, 500, 500)]
  known.set(first)
  known.set(second)
  known.setMoved({ ...second, offset: 0 })
  expect(known.storedAt(0)?.position).toBe(1)
  known.setMoved({ ...first, offset: 1000 })
  expect([0, 500, 1000].map((offset) => known.storedAt(offset)?.position)).toEqual([1, undefined, 0])
  known.forget(1)
  expect(known.storedAt(0)).toBeUndefined()
  expect(known.entry(1)).toBeUndefined()
})

test('What is not whole is found by its position alone, and its space is taken', () => {
  const part = partialEntryAt(2, 500, 300)
  const entries: CheckpointEntry[] = [
    storedEntryAt(3, 0, 500),
    part,
    { status: 'failed', position: 1, part: partialEntryAt(1, 800, 200), error: 'HTTP 404', warning: null },
    { status: 'failed', position: 0, part: null, error: 'HTTP 404', warning: null },
  ]
  const known = new KnownEntries({ entries, settledBytes: 0 })
  expect(known.storedAt(500)).toBeUndefined()
  expect(known.entry(2)).toEqual(part)
  expect(known.partial()).toEqual([part])
  expect(known.stored().map(({ position }) => position)).toEqual([3])
  expect(known.failedCount()).toBe(2)
  expect(known.locations()).toEqual([{ position: 3, offset: 0, lengthBytes: 500 }])
  expect(known.spaces()).toEqual([
    { offset: 0, lengthBytes: 500 },
    { offset: 500, lengthBytes: 300 },
    { offset: 800, lengthBytes: 200 },
  ])
  known.set(storedEntryAt(2, 500, 300))
  expect(known.storedAt(500)?.position).toBe(2)
  expect(known.partial()).toEqual([])
})

test('A local header of an earlier run is uncertain until it is settled or written, and again once it has moved', () => {
  const entries = [storedEntryAt(0, 0, 500), storedEntryAt(1, 500, 500), storedEntryAt(2, 1000, 500)]
  const known = new KnownEntries({ entries, settledBytes: 500 })
  expect([...known.uncertainPositions()]).toEqual([1, 2])
  known.set(storedEntryAt(2, 1000, 500))
  known.setWritten(storedEntryAt(1, 500, 500))
  expect([...known.uncertainPositions()]).toEqual([2])
  known.setWritten(storedEntryAt(3, 1500, 500))
  known.setMoved(storedEntryAt(1, 2000, 500))
  expect([...known.uncertainPositions()].sort()).toEqual([1, 2])
})

test('Whole entries are in URL order, whatever order they arrive in', () => {
  const known = new KnownEntries(none)
  for (const position of [30, 4, 200, 1]) known.setWritten(storedEntryAt(position, position * 1000, 500))
  expect(known.stored().map(({ position }) => position)).toEqual([1, 4, 30, 200])
})
