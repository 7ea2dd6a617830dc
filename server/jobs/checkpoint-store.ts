import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { entries, jobs, sources, users } from '../db/schema.ts'
import type { ByteMove, Checkpoint, CheckpointChange } from '../engine/checkpoint.ts'
import type { Sources } from '../engine/job-order.ts'
import type { PlanName } from '../vocabulary.ts'
import type { Claim } from './job.ts'
import { type EntryRow, entryOf, rowOf } from './job-rows.ts'
import type { LiveCounts } from './progress.ts'

/** What a claimed job needs to be run. */
export interface ClaimedJob {
  readonly plan: PlanName
  readonly failOnUrlError: boolean
  readonly sources: Sources
  readonly checkpoint: Checkpoint
  /** What earlier runs have stored. */
  readonly counts: LiveCounts
}

/** Where a run starts from, and the checkpoint changes that it reports on its way. */
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
      urlCount: jobs.urlCount,
      fileCount: jobs.fileCount,
      zipBytes: jobs.zipBytes,
      from: jobs.slideFrom,
      to: jobs.slideTo,
      by: jobs.slideBy,
      movedBytes: jobs.slideMovedBytes,
      parkedAt: jobs.slideParkedAt,
      parkedBytes: jobs.slideParkedBytes,
    })
    .from(jobs)
    .innerJoin(users, eq(users.id, jobs.userId))
    .where(eq(jobs.id, id))
    .prepare()
  const sourcesFrom = orm
    .select({ url: sources.url, filename: sources.filename })
    .from(sources)
    .where(and(eq(sources.jobId, id), gte(sources.position, position)))
    .orderBy(asc(sources.position))
    .limit(sql.placeholder('limit'))
    .prepare()
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

  // What a run still reports after its job was cancelled is not kept: the quota was charged for the checkpoint of then.
  // A checkpoint change shows that the job does not crash every run, so it clears the count of crashes.
  const setCounts = db.prepare<{ id: string }, RunCounts>(
    `UPDATE jobs SET file_count = $fileCount, zip_bytes = $zipBytes, crashes = 0
     WHERE id = $jobId AND claim = $claimNumber AND status = 'processing' RETURNING id`,
  )
  const putEntry = db.prepare<null, EntryRow>(
    `INSERT OR REPLACE INTO entries (job_id, position, status, name, offset, header_bytes, compressed_bytes, size_bytes,
       modified_at_ms, crc32, method, durable_bytes, etag, error)
     VALUES ($jobId, $position, $status, $name, $offset, $headerBytes, $compressedBytes, $sizeBytes,
       $modifiedAtMs, $crc32, $method, $durableBytes, $etag, $error)`,
  )
  const dropEntry = db.prepare<null, { jobId: string; position: number }>(
    'DELETE FROM entries WHERE job_id = $jobId AND position = $position',
  )
  const setMove = db.prepare<null, MoveColumns & { jobId: string }>(
    `UPDATE jobs SET slide_from = $from, slide_to = $to, slide_by = $by, slide_moved_bytes = $movedBytes,
       slide_parked_at = $parkedAt, slide_parked_bytes = $parkedBytes
     WHERE id = $jobId`,
  )
  const shiftEntries = db.prepare<null, { jobId: string; from: number; to: number; by: number }>(
    `UPDATE entries SET offset = offset - $by WHERE job_id = $jobId AND offset >= $from AND offset < $to`,
  )
  const clearCounts = db.prepare<null, { jobId: string }>(
    'UPDATE jobs SET file_count = 0, zip_bytes = 0 WHERE id = $jobId',
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
    const { from = null, to = null, by = null, movedBytes = null, parkedAt, parkedBytes } = row ?? {}
    const moving = from !== null && to !== null && by !== null && movedBytes !== null
    return {
      entries: entriesOf.all({ id: jobId }).map(entryOf),
      move: moving
        ? { from, to, by, movedBytes, parkedAt: parkedAt ?? 0, parkedBytes: parkedBytes ?? 0 }
        : null,
    }
  }

  return {
    /** What a later run would continue from; empty when the job was deleted. */
    checkpointOf,

    /** Null when the job was deleted. */
    load(jobId: string): ClaimedJob | null {
      const row = order.get({ id: jobId })
      if (row === undefined) return null
      return {
        plan: row.plan,
        failOnUrlError: row.failOnUrlError && !row.skipFailed,
        sources: {
          length: row.urlCount,
          slice: (first, end) => sourcesFrom.all({ id: jobId, position: first, limit: end - first }),
        },
        counts: { fileCount: row.fileCount, zipBytes: row.zipBytes },
        checkpoint: checkpointOf(jobId),
      }
    },

    /** Empty when the job was deleted. */
    urlOf(jobId: string, at: number): string {
      return urlAt.get({ id: jobId, position: at })?.url ?? ''
    },

    /** Writes checkpoint changes in order. False, and nothing is changed, when the run no longer owns the job. */
    commit(run: Claim, changes: readonly CheckpointChange[], counts: LiveCounts, durable: boolean): boolean {
      const work = () => {
        if (setCounts.get({ ...counts, jobId: run.jobId, claimNumber: run.claimNumber }) === null)
          return false
        for (const change of changes) apply(run.jobId, change)
        return true
      }
      return durable ? db.durably(work) : db.transaction(work)
    },

    /** Forgets which URLs failed. Call it inside the transaction that retries the job. */
    forgetFailed(jobId: string): void {
      dropFailed.run({ jobId })
    },
    /** Forgets everything that the job has fetched. Call it inside the transaction that gives up the files of the job. */
    forgetStored(jobId: string): void {
      dropStored.run({ jobId })
      clearCounts.run({ jobId })
      setMove.run({ jobId, ...NO_MOVE })
    },
  }
}

type RunCounts = { jobId: string; claimNumber: number; fileCount: number; zipBytes: number }

type MoveColumns = Readonly<Record<keyof ByteMove, number | null>>

const NO_MOVE: MoveColumns = {
  from: null,
  to: null,
  by: null,
  movedBytes: null,
  parkedAt: null,
  parkedBytes: null,
}
