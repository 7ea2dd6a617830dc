import { and, asc, eq, gte, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { Database, Tx } from '../../db/open.ts'
import { entries, jobs, sources, users } from '../../db/schema.ts'
import type {
  ArchiveCounts,
  ByteMove,
  Checkpoint,
  CheckpointChange,
  CheckpointEntry,
  FinalPlace,
  PartialEntry,
} from '../../engine/checkpoint/checkpoint.ts'
import type { Sources } from '../../engine/job-order.ts'
import type { PlanName } from '../../vocabulary.ts'
import type { Base, Claim } from '../job.ts'
import { baseOf, warningOf } from '../reading/query-store.ts'
import { openSourceReader } from '../reading/source-store.ts'
import { openBaseReader } from './base-store.ts'

/** Everything about a claimed job that a run needs. */
export interface ClaimedJob {
  readonly plan: PlanName
  readonly failOnUrlError: boolean
  readonly failOnWarning: boolean
  readonly hasManifest: boolean
  readonly sources: Sources
  readonly checkpoint: Checkpoint
  readonly base: Base | null
  /** When the base was completed, if entries are copied from it whose sources fail; null if these fail. */
  readonly keepFrom: number | null
}

/** Loads the state that a run starts from, and commits the checkpoint changes that it reports. */
export type CheckpointStore = ReturnType<typeof openCheckpointStore>

export function openCheckpointStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const position = sql.placeholder('position')
  const order = orm
    .select({
      plan: users.plan,
      failOnUrlError: jobs.failOnUrlError,
      skipFailed: jobs.skipFailed,
      failOnWarning: jobs.failOnWarning,
      hasManifest: jobs.hasManifest,
      urlCount: jobs.urlCount,
      baseJobId: jobs.baseJobId,
      baseReuse: jobs.baseReuse,
      keepsGone: jobs.keepsGone,
      from: jobs.moveFrom,
      to: jobs.moveTo,
      by: jobs.moveBy,
      movedBytes: jobs.movedBytes,
      copyOffset: jobs.copyOffset,
      copyBytes: jobs.copyBytes,
      settledBytes: jobs.settledBytes,
    })
    .from(jobs)
    .innerJoin(users, eq(users.id, jobs.userId))
    .where(eq(jobs.id, id))
    .prepare()
  const completedAt = orm.select({ at: jobs.completedAt }).from(jobs).where(eq(jobs.id, id)).prepare()
  const readSources = openSourceReader(db)
  const readWithBase = openBaseReader(db)
  const urlAt = orm
    .select({ url: sources.url })
    .from(sources)
    .where(and(eq(sources.jobId, id), eq(sources.position, position)))
    .prepare()
  const entriesOf = orm
    .select()
    .from(entries)
    .where(eq(entries.jobId, id))
    .orderBy(asc(entries.position))
    .prepare()

  // Runs with each commit of each job, of which there may be hundreds in a second.
  // Changes that a run reports after its job was cancelled are dropped, because the quota was charged for the checkpoint
  // at the time of the cancel. A checkpoint change shows that the job does not crash every run, so it resets `crashes`.
  const setCounts = db.prepareWrite<{ id: string }, RunCounts>(
    `UPDATE jobs SET file_count = $fileCount, zip_bytes = $zipBytes, reused_count = $reusedCount,
       warning_count = $warningCount, crashes = 0
     WHERE id = $jobId AND claim = $claimNumber AND status = 'processing' RETURNING id`,
  )
  // These two run once per entry.
  const putEntry = db.prepareWrite<null, EntryRow>(
    `INSERT OR REPLACE INTO entries (job_id, position, status, name, offset, header_bytes, compressed_bytes, size_bytes,
       modified_at_ms, crc32, sha256, fetched, method, stretches, etag, has_last_modified, final_url_hash, is_reused, kept_from, error,
       warning_code, warning_message)
     VALUES ($jobId, $position, $status, $name, $offset, $headerBytes, $compressedBytes, $sizeBytes,
       $modifiedAtMs, $crc32, $sha256, $fetched, $method, $stretches, $etag, $hasLastModified, $finalUrlHash, $isReused, $keptFrom, $error,
       $warningCode, $warningMessage)`,
  )
  const dropEntry = db.prepareWrite<null, { jobId: string; position: number }>(
    'DELETE FROM entries WHERE job_id = $jobId AND position = $position',
  )
  const setFinalPlaces = openPlaceWriter(db)
  function apply(tx: Tx, jobId: string, change: CheckpointChange): void {
    switch (change.kind) {
      case 'put':
        putEntry.run(tx, rowOf(jobId, change.entry))
        break
      case 'drop':
        dropEntry.run(tx, { jobId, position: change.position })
        break
      case 'move':
        tx.update(jobs).set(moveColumns(change.move)).where(eq(jobs.id, jobId)).run()
        break
      case 'shift': {
        const { from, to, by } = change
        tx.update(entries)
          .set({ offset: sql`${entries.offset} - ${by}` })
          .where(and(eq(entries.jobId, jobId), gte(entries.offset, from), lt(entries.offset, to)))
          .run()
        tx.update(jobs).set(NO_MOVE).where(eq(jobs.id, jobId)).run()
        break
      }
      case 'settle':
        tx.update(jobs).set(settledTo(change.settledBytes)).where(eq(jobs.id, jobId)).run()
        setFinalPlaces(tx, jobId, change.places)
        break
    }
  }

  function checkpointOf(jobId: string): Checkpoint {
    const row = order.get({ id: jobId })
    const entries = entriesOf.all({ id: jobId }).map(entryOf)
    return { entries, move: moveOf(row), settledBytes: row?.settledBytes ?? 0 }
  }

  return {
    /** The checkpoint from which a later run would continue; empty when the job was deleted. */
    checkpointOf,

    /** Null when the job was deleted. */
    load(jobId: string): ClaimedJob | null {
      const row = order.get({ id: jobId })
      if (row === undefined) return null
      const base = baseOf(row)
      return {
        plan: row.plan,
        failOnUrlError: row.failOnUrlError && !row.skipFailed,
        failOnWarning: row.failOnWarning,
        hasManifest: row.hasManifest,
        sources: {
          length: row.urlCount,
          slice: async (first, end) =>
            base === null
              ? readSources(jobId, first, end - first)
              : readWithBase(jobId, base.jobId, first, end - first),
        },
        base,
        keepFrom: base?.keepsGone ? (completedAt.get({ id: base.jobId })?.at ?? null) : null,
        checkpoint: checkpointOf(jobId),
      }
    },

    /** Empty when the job was deleted. */
    urlOf(jobId: string, at: number): string {
      return urlAt.get({ id: jobId, position: at })?.url ?? ''
    },

    /** Writes checkpoint changes in order. Changes nothing and returns false when the run no longer owns the job. */
    commit(
      { jobId, claimNumber }: Claim,
      changes: readonly CheckpointChange[],
      counts: ArchiveCounts,
      durable: boolean,
    ): boolean {
      const work = (tx: Tx) => {
        if (setCounts.get(tx, { ...counts, jobId, claimNumber }) === null) return false
        for (const change of changes) apply(tx, jobId, change)
        return true
      }
      return durable ? db.durably(work) : db.transaction(work)
    },
  }
}

/** Writes the final names and places of entries. */
export function openPlaceWriter(db: Database) {
  // Runs once per entry whose place changes when it is settled, or when the archive is finished.
  const setFinalPlace = db.prepareWrite<null, Record<keyof FinalPlace, string | number> & { jobId: string }>(
    `UPDATE entries SET likely_name = nullif(name, $name), name = $name, offset = $offset, header_bytes = $headerBytes
     WHERE job_id = $jobId AND position = $position`,
  )
  return (tx: Tx, jobId: string, places: readonly FinalPlace[]): void => {
    for (const place of places) setFinalPlace.run(tx, { jobId, ...place })
  }
}

/** Fewer settled bytes than before are another edition: clients may have those that are given up. */
function settledTo(settledBytes: number) {
  return { settledBytes, edition: sql`${jobs.edition} + (${jobs.settledBytes} > ${settledBytes})` }
}

/** Deletes the entries of URLs that failed, or were copied because they failed, but not what has arrived of their bodies. */
export function forgetFailed(tx: Tx, jobId: string): void {
  tx.delete(entries)
    .where(and(eq(entries.jobId, jobId), isNotNull(entries.keptFrom)))
    .run()
  const isFailed = and(eq(entries.jobId, jobId), eq(entries.status, 'failed'))
  tx.update(entries)
    .set({ status: 'partial', error: null })
    .where(and(isFailed, isNotNull(entries.stretches)))
    .run()
  tx.delete(entries).where(isFailed).run()
}

/** Deletes what has arrived of the bodies of failed URLs. */
export function forgetFailedParts(tx: Tx, jobIds: readonly string[]): void {
  tx.update(entries)
    .set(NO_SPACE_OF_FAILED)
    .where(and(inArray(entries.jobId, [...jobIds]), eq(entries.status, 'failed')))
    .run()
}

/** Deletes all other entries and the counts of jobs. After the transaction, the files of the jobs are deleted. */
export function forgetStored(tx: Tx, jobIds: readonly string[]): void {
  tx.delete(entries)
    .where(and(inArray(entries.jobId, [...jobIds]), ne(entries.status, 'failed')))
    .run()
  forgetFailedParts(tx, jobIds)
  tx.update(jobs)
    .set({ fileCount: 0, zipBytes: 0, reusedCount: 0, warningCount: 0, ...NO_MOVE, ...settledTo(0) })
    .where(inArray(jobs.id, [...jobIds]))
    .run()
}

/** Null when no gap is being closed. */
function moveOf(row: MoveRow | undefined): ByteMove | null {
  if (row === undefined) return null
  const { from, to, by, movedBytes, copyOffset, copyBytes } = row
  if (from === null || to === null || by === null || movedBytes === null) return null
  return { from, to, by, movedBytes, copyOffset: copyOffset ?? 0, copyBytes: copyBytes ?? 0 }
}

type MoveRow = Readonly<
  Record<'from' | 'to' | 'by' | 'movedBytes' | 'copyOffset' | 'copyBytes', number | null>
>

type RunCounts = Record<keyof ArchiveCounts, number> & { jobId: string; claimNumber: number }

function moveColumns({ from, to, by, movedBytes, copyOffset, copyBytes }: ByteMove) {
  return { moveFrom: from, moveTo: to, moveBy: by, movedBytes, copyOffset, copyBytes }
}

const NO_MOVE = {
  moveFrom: null,
  moveTo: null,
  moveBy: null,
  movedBytes: null,
  copyOffset: null,
  copyBytes: null,
}

/** Without what is written only when the archive is finished: the name before numbering, and the change. */
type EntryRow = Omit<typeof entries.$inferSelect, 'likelyName' | 'change'>

/** The row of a checkpoint entry, with null in the columns that its status does not use. */
function rowOf(jobId: string, entry: CheckpointEntry): EntryRow {
  if (entry.status === 'partial') return { ...NO_SPACE, ...partColumns(entry), jobId }
  const { warning, ...columns } = entry
  const warningColumns = { warningCode: warning?.code ?? null, warningMessage: warning?.message ?? null }
  if (columns.status === 'stored') {
    const { kept, ...stored } = columns
    const sha256 = stored.sha256 === null ? null : Buffer.from(stored.sha256, 'hex')
    const fetched = stored.fetched === null ? null : JSON.stringify(stored.fetched)
    const keptColumns = { keptFrom: kept?.from ?? null, error: kept?.error ?? null }
    return { ...NO_SPACE, ...stored, sha256, fetched, ...keptColumns, ...warningColumns, jobId }
  }
  const { part, ...failed } = columns
  return { ...NO_SPACE, ...(part && partColumns(part)), ...failed, ...warningColumns, jobId }
}

function partColumns({ stretches, ...columns }: PartialEntry) {
  return { ...columns, stretches: JSON.stringify(stretches) }
}

/** The checkpoint entry of a row; throws when the row lacks what its status needs. */
function entryOf(row: EntryRow): CheckpointEntry {
  const { status, position } = row
  if (status === 'failed') {
    const part = row.stretches === null ? null : partialOf(row)
    return { status, position, part, error: needed(row.error), warning: warningOf(row) }
  }
  if (status === 'partial') return partialOf(row)
  return {
    status,
    ...spaceOf(row),
    sizeBytes: needed(row.sizeBytes),
    crc32: needed(row.crc32),
    sha256: row.sha256?.toString('hex') ?? null,
    fetched: row.fetched === null ? null : JSON.parse(row.fetched),
    method: needed(row.method),
    isReused: row.isReused ?? false,
    kept: row.keptFrom === null ? null : { from: row.keptFrom, error: row.error ?? '' },
    warning: warningOf(row),
  }
}

function partialOf(row: EntryRow): PartialEntry {
  return { status: 'partial', ...spaceOf(row), stretches: JSON.parse(needed(row.stretches)) }
}

function spaceOf(row: EntryRow) {
  return {
    position: row.position,
    name: needed(row.name),
    offset: needed(row.offset),
    headerBytes: needed(row.headerBytes),
    compressedBytes: needed(row.compressedBytes),
    modifiedAtMs: needed(row.modifiedAtMs),
    etag: row.etag,
    hasLastModified: row.hasLastModified ?? false,
    finalUrlHash: row.finalUrlHash,
  }
}

const NO_SPACE = {
  name: null,
  offset: null,
  headerBytes: null,
  compressedBytes: null,
  sizeBytes: null,
  modifiedAtMs: null,
  crc32: null,
  sha256: null,
  fetched: null,
  method: null,
  stretches: null,
  etag: null,
  hasLastModified: null,
  finalUrlHash: null,
  isReused: null,
  keptFrom: null,
  error: null,
  warningCode: null,
  warningMessage: null,
}

const { error: _error, ...NO_SPACE_OF_FAILED } = NO_SPACE

function needed<T>(value: T | null): T {
  if (value === null) throw new Error('a checkpoint row lacks a column that its status needs')
  return value
}
