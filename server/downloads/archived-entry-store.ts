import { and, asc, eq, gt, gte, lte, sql } from 'drizzle-orm'
import type { PackedBody } from '../archive/reading/unpacked.ts'
import type { Database } from '../db/open.ts'
import { entries } from '../db/schema.ts'
import type { WarningCode } from '../vocabulary.ts'

/** Reads the entries of finished archives. */
export type ArchivedEntryStore = ReturnType<typeof openArchivedEntryStore>

/** A file in an archive, as a receiver sees it. */
export interface ArchivedFile {
  /** That of its URL in the job. */
  readonly position: number
  readonly name: string
  readonly sizeBytes: number
  /** What looks wrong with it; null when nothing does. Not the message, which is for the maker of the archive. */
  readonly warningCode: WarningCode | null
}

/** The same with the place of its body in the archive, and what the headers of a ZIP say of it. */
export interface ArchivedEntry extends ArchivedFile, PackedBody {
  readonly modifiedAtMs: number
}

export function openArchivedEntryStore(db: Database) {
  const { orm } = db
  const position = sql.placeholder('position')
  const isStored = and(eq(entries.jobId, sql.placeholder('jobId')), eq(entries.status, 'stored'))
  const file = {
    position: entries.position,
    // The columns of stored entries are never null.
    name: sql<string>`${entries.name}`,
    sizeBytes: sql<number>`${entries.sizeBytes}`,
    warningCode: entries.warningCode,
  }
  const after = orm
    .select(file)
    .from(entries)
    .where(and(isStored, gt(entries.position, position)))
    .orderBy(asc(entries.position))
    .limit(sql.placeholder('limit'))
    .prepare()
  const positionsAfter = orm
    .select({ position: entries.position })
    .from(entries)
    .where(and(isStored, gt(entries.position, position)))
    .orderBy(asc(entries.position))
    .limit(sql.placeholder('limit'))
    .prepare()
  const between = orm
    .select({
      ...file,
      offset: sql<number>`${entries.offset}`,
      headerBytes: sql<number>`${entries.headerBytes}`,
      compressedBytes: sql<number>`${entries.compressedBytes}`,
      crc32: sql<number>`${entries.crc32}`,
      method: sql<0 | 8>`${entries.method}`,
      modifiedAtMs: sql<number>`${entries.modifiedAtMs}`,
    })
    .from(entries)
    .where(and(isStored, gte(entries.position, position), lte(entries.position, sql.placeholder('last'))))
    .orderBy(asc(entries.position))
    .limit(sql.placeholder('limit'))
    .prepare()

  return {
    /** The files after a position, in URL order. */
    filesAfter: (jobId: string, last: number, limit: number): ArchivedFile[] =>
      after.all({ jobId, position: last, limit }),
    /** Their positions alone. */
    positionsAfter: (jobId: string, last: number, limit: number): number[] =>
      positionsAfter.all({ jobId, position: last, limit }).map((row) => row.position),
    /** Null when no file of the archive has the position. */
    entryAt: (jobId: string, wanted: number): ArchivedEntry | null =>
      between.get({ jobId, position: wanted, last: wanted, limit: 1 }) ?? null,
    /** The first ones from a position to another one, in URL order. */
    entriesBetween: (jobId: string, first: number, last: number, limit: number): ArchivedEntry[] =>
      between.all({ jobId, position: first, last, limit }),
  }
}
