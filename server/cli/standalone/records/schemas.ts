import { z } from 'zod'
import type { CheckpointChange } from '../../../engine/checkpoint/checkpoint.ts'
import { WARNING_CODES } from '../../../vocabulary.ts'

/** First line of a checkpoint journal: its version, and the digest of the list of sources that it belongs to. */
export const journalHeadSchema = z.object({ journal: z.int(), list: z.string() })

const count = z.int().check(z.nonnegative())
const packed = { name: z.string(), offset: count, headerBytes: count, compressedBytes: count }
const space = { position: count, ...packed }
const modifiedAtMs = z.number()
const validators = {
  etag: z.nullable(z.string()),
  hasLastModified: z.boolean(),
  finalUrlHash: z.nullable(z.string()),
}
const warning = z.nullable(z.object({ code: z.enum(WARNING_CODES), message: z.string() }))
const crc32 = z.int().check(z.gte(0), z.lte(0xffffffff))
const method = z.union([z.literal(0), z.literal(8)])
const digests = {
  sha256: z.nullable(z.string().check(z.regex(/^[\da-f]{64}$/))),
  fetched: z.nullable(
    z.object({
      finalUrl: z.nullable(z.string()),
      fetchedAtMs: z.number(),
      status: z.int(),
      contentType: z.nullable(z.string()),
      etag: z.nullable(z.string()),
      lastModifiedMs: z.nullable(z.number()),
    }),
  ),
}

const partialSchema = z.object({
  status: z.literal('partial'),
  ...space,
  modifiedAtMs,
  ...validators,
  stretches: z.array(z.object({ start: count, end: count, crc32 })).check(z.minLength(1)),
})

const entrySchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('stored'),
    ...space,
    modifiedAtMs,
    ...validators,
    sizeBytes: count,
    crc32,
    method,
    ...digests,
    isReused: z.boolean(),
    kept: z.nullable(z.object({ from: z.number(), error: z.string() })),
    warning,
  }),
  partialSchema,
  z.object({
    status: z.literal('failed'),
    position: count,
    part: z.nullable(partialSchema),
    error: z.string(),
    warning,
  }),
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
  ...digests,
  warning,
})

const range = { from: count, to: count, by: count }
const moveSchema = z.object({
  ...range,
  movedBytes: count,
  copyOffset: count,
  copyBytes: count,
})

/** Nothing is settled in an archive that nobody can download while it is packed. */
export type JournalChange = Exclude<CheckpointChange, { readonly kind: 'settle' }>

/** Each other line: a batch of changes, in order. Validated, since others may write to the journal's directory. */
export const changesSchema: z.ZodType<JournalChange[]> = z.array(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('put'), entry: entrySchema }),
    z.object({ kind: z.literal('drop'), position: count }),
    z.object({ kind: z.literal('move'), move: moveSchema }),
    z.object({ kind: z.literal('shift'), ...range }),
  ]),
)
