import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { shifted } from '../../../server/engine/checkpoint/apply-changes.ts'
import type { StoredEntry } from '../../../server/engine/checkpoint/checkpoint.ts'
import { StoredEntries } from '../../../server/engine/checkpoint/stored-entries.ts'

const bytes = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const uint32 = fc.nat({ max: 0xffffffff })

const entry: fc.Arbitrary<StoredEntry> = fc.record({
  status: fc.constant('stored' as const),
  position: fc.nat({ max: 40 }),
  name: fc.string({ unit: 'grapheme', minLength: 1 }),
  etag: fc.option(fc.string({ unit: fc.constantFrom('a', '\u00e9', '!') }).map((text) => `"${text}"`)),
  hasLastModified: fc.boolean(),
  finalUrlHash: fc.option(fc.string({ unit: fc.constantFrom('0', 'z'), minLength: 1 })),
  offset: bytes,
  headerBytes: uint32,
  compressedBytes: bytes,
  sizeBytes: bytes,
  modifiedAtMs: fc.integer({ min: -1e13, max: 1e13 }),
  crc32: uint32,
  method: fc.constantFrom(0 as const, 8 as const),
  isReused: fc.boolean(),
})

/** What may happen to the entries of a job: an entry is packed, dropped or moved, or a range of bytes moves. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), entry }),
  fc.record({ kind: fc.constant('delete' as const), position: fc.nat({ max: 45 }) }),
  fc.record({ kind: fc.constant('move' as const), position: fc.nat({ max: 45 }), offset: bytes }),
  fc.record({ kind: fc.constant('shift' as const), from: bytes, to: bytes, by: fc.nat() }),
)

test('Entries come back as they were set, in URL order, whatever was set, dropped and moved before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const stored = new StoredEntries()
      const expected = new Map<number, StoredEntry>()
      for (const change of steps) {
        if (change.kind === 'set') {
          stored.set(change.entry)
          expected.set(change.entry.position, change.entry)
        } else if (change.kind === 'delete') {
          expect(stored.delete(change.position)).toBe(expected.delete(change.position))
        } else if (change.kind === 'shift') {
          stored.shift(change)
          for (const known of expected.values()) expected.set(known.position, shifted(known, change))
        } else {
          const known = expected.get(change.position)
          if (known === undefined) continue
          stored.move(change.position, change.offset)
          expected.set(change.position, { ...known, offset: change.offset })
        }
      }
      const inOrder = [...expected.values()].sort((a, b) => a.position - b.position)
      expect([...stored]).toEqual(inOrder)
      expect(stored.count).toBe(inOrder.length)
      expect([...stored.positions()]).toEqual(inOrder.map(({ position }) => position))
      for (let position = 0; position < 50; position += 1)
        expect(stored.get(position)).toEqual(expected.get(position))
    }),
  )
})
