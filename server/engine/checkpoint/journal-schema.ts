import { z } from 'zod'
import type { CheckpointChange, StoredEntry } from './checkpoint.ts'

/** First line of a checkpoint journal: its version, and the digest of the list of sources that it belongs to. */
export const journalHeadSchema = z.object({ journal: z.int(), list: z.string() })

const count = z.int().check(z.nonnegative())
const packed = { name: z.string(), offset: count, headerBytes: count, compressedBytes: count }
const space = { position: count, ...packed }
const modifiedAtMs = z.number()
/** Journals of earlier versions have no validators of whole entries. */
const validators = {
  etag: z._default(z.nullable(z.string()), null),
  hasLastModified: z._default(z.boolean(), false),
  finalUrlHash: z._default(z.nullable(z.string()), null),
}
const crc32 = z.int().check(z.gte(0), z.lte(0xffffffff))
const method = z.union([z.literal(0), z.literal(8)])

/** A stored entry is put as a list of its fields. With their names, 70,000 entries would take 20 MB instead of 6. */
const storedRow = z.pipe(
  z.tuple([
    count,
    z.string(),
    count,
    count,
    count,
    modifiedAtMs,
    count,
    crc32,
    method,
    z.boolean(),
    z.nullable(z.string()),
    z.boolean(),
    z.nullable(z.string()),
  ]),
  z.transform((row) => ({ kind: 'put' as const, entry: entryOf(row) })),
)

type StoredRow = ReturnType<typeof rowOf>

function rowOf(entry: StoredEntry) {
  return [
    entry.position,
    entry.name,
    entry.offset,
    entry.headerBytes,
    entry.compressedBytes,
    entry.modifiedAtMs,
    entry.sizeBytes,
    entry.crc32,
    entry.method,
    entry.isReused,
    entry.etag,
    entry.hasLastModified,
    entry.finalUrlHash,
  ] as const
}

function entryOf(row: StoredRow): StoredEntry {
  const [position, name, offset, headerBytes, compressedBytes, ...rest] = row
  const [modifiedAtMs, sizeBytes, crc32, method, isReused, etag, hasLastModified, finalUrlHash] = rest
  const place = { position, name, offset, headerBytes, compressedBytes }
  const content = { modifiedAtMs, sizeBytes, crc32, method, isReused }
  return { status: 'stored', ...place, ...content, etag, hasLastModified, finalUrlHash }
}

/** Stored entries are here as journals of earlier versions have them. */
const entrySchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('stored'),
    ...space,
    modifiedAtMs,
    ...validators,
    sizeBytes: count,
    crc32,
    method,
    isReused: z._default(z.boolean(), false),
  }),
  z.object({
    status: z.literal('partial'),
    ...space,
    modifiedAtMs,
    ...validators,
    durableBytes: count,
    crc32,
  }),
  z.object({ status: z.literal('failed'), position: count, error: z.string() }),
])

/** An entry of a finished archive, in the record next to it. */
export const baseEntrySchema = z.object({
  ...packed,
  finalName: z.string(),
  modifiedAtMs,
  ...validators,
  sizeBytes: count,
  crc32,
  method,
})

const range = { from: count, to: count, by: count }
const moveSchema = z.object({
  ...range,
  movedBytes: count,
  parkedAt: z._default(count, 0),
  parkedBytes: z._default(count, 0),
})

/** Each other line: a batch of changes, in order. Validated, since others may write to the journal's directory. */
export const changesSchema: z.ZodType<CheckpointChange[]> = z.array(
  z.union([
    storedRow,
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('put'), entry: entrySchema }),
      z.object({ kind: z.literal('drop'), position: count }),
      z.pipe(
        z.object({ kind: z.literal('slide'), slide: moveSchema }),
        z.transform(({ slide }) => ({ kind: 'move' as const, move: slide })),
      ),
      z.object({ kind: z.literal('shift'), ...range }),
    ]),
  ]),
)

/** The line of a batch, which `changesSchema` reads back. A `move` is called `slide` there, as in journals of earlier versions. */
export function journalLine(changes: readonly CheckpointChange[]): string {
  return `${JSON.stringify(changes.map(jsonOf))}\n`
}

function jsonOf(change: CheckpointChange) {
  if (change.kind === 'put' && change.entry.status === 'stored') return rowOf(change.entry)
  return change.kind === 'move' ? { kind: 'slide', slide: change.move } : change
}
