import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import type { PlanName } from '../accounts/plan.ts'
import type { Database } from '../db/open.ts'
import { entries, jobs, sources, users } from '../db/schema.ts'
import type { Checkpoint, CheckpointChange } from '../engine/checkpoint.ts'
import type { Source } from '../engine/job-order.ts'
import { entryOf, rowOf } from './job-rows.ts'
import type { LiveCounts } from './progress.ts'
import type { Claim } from './run-store.ts'

/** What a claimed job needs to be run. */
export interface ClaimedJob {
  readonly plan: PlanName
  readonly failOnUrlError: boolean
  readonly sources: readonly Source[]
  readonly checkpoint: Checkpoint
  /** What earlier runs had got to. */
  readonly counts: LiveCounts
}

/** What a run starts from, and what it hands out on its way. */
export type CheckpointStore = ReturnType<typeof openCheckpointStore>

export function openCheckpointStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const position = sql.placeholder('position')
  // What a run still writes after its job was cancelled is not kept: the checkpoint is what the quota was charged for.
  const running = and(
    eq(jobs.id, id),
    eq(jobs.claim, sql.placeholder('claim')),
    eq(jobs.status, 'processing'),
  )

  const order = orm
    .select({
      plan: users.plan,
      failOnUrlError: jobs.failOnUrlError,
      skipFailed: jobs.skipFailed,
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
  const sourcesOf = orm
    .select({ url: sources.url, filename: sources.filename })
    .from(sources)
    .where(eq(sources.jobId, id))
    .orderBy(asc(sources.position))
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

  const setCounts = orm
    .update(jobs)
    .set({
      fileCount: sql`${sql.placeholder('fileCount')}`,
      zipBytes: sql`${sql.placeholder('zipBytes')}`,
      // What gets on is not what kills its runs.
      crashes: 0,
    })
    .where(running)
    .returning({ id: jobs.id })
    .prepare()
  const dropEntry = orm
    .delete(entries)
    .where(and(eq(entries.jobId, id), eq(entries.position, position)))
    .prepare()
  const putEntry = orm
    .insert(entries)
    .values({
      jobId: id,
      position,
      status: sql.placeholder('status'),
      name: sql.placeholder('name'),
      offset: sql.placeholder('offset'),
      headerBytes: sql.placeholder('headerBytes'),
      compressedBytes: sql.placeholder('compressedBytes'),
      sizeBytes: sql.placeholder('sizeBytes'),
      modifiedAtMs: sql.placeholder('modifiedAtMs'),
      crc32: sql.placeholder('crc32'),
      method: sql.placeholder('method'),
      durableBytes: sql.placeholder('durableBytes'),
      etag: sql.placeholder('etag'),
      error: sql.placeholder('error'),
    })
    .prepare()
  const setSlide = orm
    .update(jobs)
    .set({
      slideFrom: sql`${sql.placeholder('from')}`,
      slideTo: sql`${sql.placeholder('to')}`,
      slideBy: sql`${sql.placeholder('by')}`,
      slideMovedBytes: sql`${sql.placeholder('movedBytes')}`,
      slideParkedAt: sql`${sql.placeholder('parkedAt')}`,
      slideParkedBytes: sql`${sql.placeholder('parkedBytes')}`,
    })
    .where(eq(jobs.id, id))
    .prepare()
  const shift = orm
    .update(entries)
    .set({ offset: sql`${entries.offset} - ${sql.placeholder('by')}` })
    .where(
      and(
        eq(entries.jobId, id),
        gte(entries.offset, sql.placeholder('from')),
        lt(entries.offset, sql.placeholder('to')),
      ),
    )
    .prepare()

  const apply = (jobId: string, change: CheckpointChange): void => {
    switch (change.kind) {
      case 'put':
        dropEntry.run({ id: jobId, position: change.entry.position })
        putEntry.run({ ...rowOf(jobId, change.entry), id: jobId })
        break
      case 'drop':
        dropEntry.run({ id: jobId, position: change.position })
        break
      case 'slide':
        setSlide.run({ id: jobId, ...change.slide })
        break
      case 'shift':
        shift.run({ id: jobId, from: change.from, to: change.to, by: change.by })
        setSlide.run({
          id: jobId,
          from: null,
          to: null,
          by: null,
          movedBytes: null,
          parkedAt: null,
          parkedBytes: null,
        })
        break
    }
  }

  const checkpointOf = (jobId: string): Checkpoint => {
    const row = order.get({ id: jobId })
    const { from = null, to = null, by = null, movedBytes = null, parkedAt, parkedBytes } = row ?? {}
    const moving = from !== null && to !== null && by !== null && movedBytes !== null
    return {
      entries: entriesOf.all({ id: jobId }).map(entryOf),
      slide: moving
        ? { from, to, by, movedBytes, parkedAt: parkedAt ?? 0, parkedBytes: parkedBytes ?? 0 }
        : null,
    }
  }

  return {
    /** What a later run would go on from; nothing when the job was deleted. */
    checkpointOf,

    /** Null when the job was deleted. */
    load(jobId: string): ClaimedJob | null {
      const row = order.get({ id: jobId })
      if (row === undefined) return null
      return {
        plan: row.plan,
        failOnUrlError: row.failOnUrlError && !row.skipFailed,
        sources: sourcesOf.all({ id: jobId }),
        counts: { fileCount: row.fileCount, zipBytes: row.zipBytes },
        checkpoint: checkpointOf(jobId),
      }
    },

    /** Empty when the job was deleted. */
    urlOf(jobId: string, at: number): string {
      return urlAt.get({ id: jobId, position: at })?.url ?? ''
    },

    /** Writes checkpoint changes in order. False, and nothing is changed, when the run is over for the job. */
    commit(run: Claim, changes: readonly CheckpointChange[], counts: LiveCounts, durable: boolean): boolean {
      const work = () => {
        if (setCounts.get({ id: run.jobId, claim: run.number, ...counts }) === undefined) return false
        for (const change of changes) apply(run.jobId, change)
        return true
      }
      return durable ? db.durably(work) : db.transaction(work)
    },
  }
}
