import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { entries, jobs, sources, users } from '../db/schema.ts'
import type {
  ArchiveCounts,
  ByteMove,
  Checkpoint,
  CheckpointChange,
} from '../engine/checkpoint/checkpoint.ts'
import type { Sources } from '../engine/job-order.ts'
import type { PlanName } from '../vocabulary.ts'
import { openBaseReader } from './base-store.ts'
import type { Base, Claim } from './job.ts'
import { baseOf, type EntryRow, entryOf, rowOf } from './job-rows.ts'
import { openSourceReader } from './source-store.ts'

/** Everything about a claimed job that a run needs. */
export interface ClaimedJob {
  readonly plan: PlanName
  readonly failOnUrlError: boolean
  readonly sources: Sources
  readonly checkpoint: Checkpoint
  readonly base: Base | null
}

/** Loads the state that a run starts from, and commits the checkpoint changes that it reports. */
export type CheckpointStore = ReturnType<typeof openCheckpointStore>

export function openCheckpointStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const position = sql.placeholder('position')
  const order = prepareLater(() =>
    orm
      .select({
        plan: users.plan,
        failOnUrlError: jobs.failOnUrlError,
        skipFailed: jobs.skipFailed,
        urlCount: jobs.urlCount,
        baseJobId: jobs.baseJobId,
        baseReuse: jobs.baseReuse,
        from: jobs.slideFrom,
        to: jobs.slideTo,
        by: jobs.slideBy,
        movedBytes: jobs.slideMovedBytes,
        copyOffset: jobs.slideParkedAt,
        copyBytes: jobs.slideParkedBytes,
      })
      .from(jobs)
      .innerJoin(users, eq(users.id, jobs.userId))
      .where(eq(jobs.id, id))
      .prepare(),
  )
  const readSources = openSourceReader(db)
  const readWithBase = openBaseReader(db)
  const urlAt = prepareLater(() =>
    orm
      .select({ url: sources.url })
      .from(sources)
      .where(and(eq(sources.jobId, id), eq(sources.position, position)))
      .prepare(),
  )
  const entriesOf = prepareLater(() =>
    orm.select().from(entries).where(eq(entries.jobId, id)).orderBy(asc(entries.position)).prepare(),
  )

  // Changes that a run reports after its job was cancelled are dropped, because the quota was charged for the checkpoint
  // at the time of the cancel. A checkpoint change shows that the job does not crash every run, so it resets `crashes`.
  const setCounts = db.prepare<{ id: string }, RunCounts>(
    `UPDATE jobs SET file_count = $fileCount, zip_bytes = $zipBytes, reused_count = $reusedCount, crashes = 0
     WHERE id = $jobId AND claim = $claimNumber AND status = 'processing' RETURNING id`,
  )
  const putEntry = db.prepare<null, EntryRow>(
    `INSERT OR REPLACE INTO entries (job_id, position, status, name, offset, header_bytes, compressed_bytes, size_bytes,
       modified_at_ms, crc32, method, durable_bytes, etag, has_last_modified, final_url_hash, is_reused, error)
     VALUES ($jobId, $position, $status, $name, $offset, $headerBytes, $compressedBytes, $sizeBytes,
       $modifiedAtMs, $crc32, $method, $durableBytes, $etag, $hasLastModified, $finalUrlHash, $isReused, $error)`,
  )
  const dropEntry = db.prepare<null, { jobId: string; position: number }>(
    'DELETE FROM entries WHERE job_id = $jobId AND position = $position',
  )
  const setMove = db.prepare<null, MoveColumns & { jobId: string }>(
    `UPDATE jobs SET slide_from = $from, slide_to = $to, slide_by = $by, slide_moved_bytes = $movedBytes,
       slide_parked_at = $copyOffset, slide_parked_bytes = $copyBytes
     WHERE id = $jobId`,
  )
  const shiftEntries = db.prepare<null, { jobId: string; from: number; to: number; by: number }>(
    `UPDATE entries SET offset = offset - $by WHERE job_id = $jobId AND offset >= $from AND offset < $to`,
  )
  const clearCounts = db.prepare<null, { jobId: string }>(
    'UPDATE jobs SET file_count = 0, zip_bytes = 0, reused_count = 0 WHERE id = $jobId',
  )
  const dropFailed = db.prepare<null, { jobId: string }>(
    `DELETE FROM entries WHERE job_id = $jobId AND status = 'failed'`,
  )
  const dropStored = db.prepare<null, { jobId: string }>(
    `DELETE FROM entries WHERE job_id = $jobId AND status <> 'failed'`,
  )

  const apply = (jobId: string, change: CheckpointChange): void => {
    switch (change.kind) {
      case 'put':
        putEntry.run(rowOf(jobId, change.entry))
        break
      case 'drop':
        dropEntry.run({ jobId, position: change.position })
        break
      case 'move':
        setMove.run({ jobId, ...change.move })
        break
      case 'shift': {
        const { from, to, by } = change
        shiftEntries.run({ jobId, from, to, by })
        setMove.run({ jobId, ...NO_MOVE })
        break
      }
    }
  }

  const checkpointOf = (jobId: string): Checkpoint => {
    const row = order.get({ id: jobId })
    const { from = null, to = null, by = null, movedBytes = null, copyOffset, copyBytes } = row ?? {}
    const moving = from !== null && to !== null && by !== null && movedBytes !== null
    return {
      entries: entriesOf.all({ id: jobId }).map(entryOf),
      move: moving
        ? { from, to, by, movedBytes, copyOffset: copyOffset ?? 0, copyBytes: copyBytes ?? 0 }
        : null,
    }
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
        sources: {
          length: row.urlCount,
          slice: async (first, end) =>
            base === null
              ? readSources(jobId, first, end - first)
              : readWithBase(jobId, base.jobId, first, end - first),
        },
        base,
        checkpoint: checkpointOf(jobId),
      }
    },

    /** Empty when the job was deleted. */
    urlOf(jobId: string, at: number): string {
      return urlAt.get({ id: jobId, position: at })?.url ?? ''
    },

    /** Writes checkpoint changes in order. Changes nothing and returns false when the run no longer owns the job. */
    commit(
      run: Claim,
      changes: readonly CheckpointChange[],
      counts: ArchiveCounts,
      durable: boolean,
    ): boolean {
      const work = () => {
        if (setCounts.get({ ...counts, jobId: run.jobId, claimNumber: run.claimNumber }) === null)
          return false
        for (const change of changes) apply(run.jobId, change)
        return true
      }
      return durable ? db.durably(work) : db.transaction(work)
    },

    /** Deletes the entries of failed URLs. Call it inside the transaction that retries the job. */
    forgetFailed(jobId: string): void {
      dropFailed.run({ jobId })
    },
    /** Deletes all other entries and the counts. Call it inside the transaction after which the job's files are deleted. */
    forgetStored(jobId: string): void {
      dropStored.run({ jobId })
      clearCounts.run({ jobId })
      setMove.run({ jobId, ...NO_MOVE })
    },
  }
}

type RunCounts = Record<keyof ArchiveCounts, number> & { jobId: string; claimNumber: number }

type MoveColumns = Readonly<Record<keyof ByteMove, number | null>>

const NO_MOVE: MoveColumns = {
  from: null,
  to: null,
  by: null,
  movedBytes: null,
  copyOffset: null,
  copyBytes: null,
}
