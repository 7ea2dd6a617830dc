import { and, asc, eq, exists, gte, lt, sql } from 'drizzle-orm'
import type { PlanName } from '../accounts/plan.ts'
import type { Database } from '../db/open.ts'
import { archiveStays, entries, jobs, sources, users } from '../db/schema.ts'
import type { Checkpoint, CheckpointChange } from '../engine/checkpoint.ts'
import type { EntryName, JobFailure, Source } from '../engine/job-order.ts'
import { entryOf, rowOf } from './job-rows.ts'
import type { LiveCounts } from './progress.ts'

/** A run's right to write to its job: it ends when the job is claimed again. */
export interface Claim {
  readonly jobId: string
  readonly userId: string
  readonly number: number
}

/** What a claimed job needs to be run. */
export interface ClaimedJob {
  readonly plan: PlanName
  readonly failOnUrlError: boolean
  readonly sources: readonly Source[]
  readonly checkpoint: Checkpoint
  /** What earlier runs had got to. */
  readonly counts: LiveCounts
}

/** The transitions that the service itself makes, and the checkpoint. */
export type RunStore = ReturnType<typeof openRunStore>

export function openRunStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const now = sql.placeholder('now')
  const position = sql.placeholder('position')
  const fileCount = sql`${sql.placeholder('fileCount')}`
  const zipBytes = sql`${sql.placeholder('zipBytes')}`
  const ofClaim = and(eq(jobs.id, id), eq(jobs.claim, sql.placeholder('claim')))
  const processing = and(ofClaim, eq(jobs.status, 'processing'))
  const expiry = sql`${now} + ${jobs.expiresInSeconds} * 1000`

  const usersWithPending = orm
    .select({ id: users.id })
    .from(users)
    .where(
      exists(
        orm
          .select({ one: sql`1` })
          .from(jobs)
          .where(and(eq(jobs.userId, users.id), eq(jobs.status, 'pending'))),
      ),
    )
    .orderBy(asc(users.id))
    .prepare()
  const oldestPending = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.userId, sql.placeholder('userId')), eq(jobs.status, 'pending')))
    .orderBy(asc(jobs.createdAt), asc(jobs.id))
    .limit(1)
  const claim = orm
    .update(jobs)
    .set({ status: 'processing', claim: sql`${jobs.claim} + 1` })
    .where(and(eq(jobs.id, sql`(${oldestPending})`), eq(jobs.status, 'pending')))
    .returning({ jobId: jobs.id, userId: jobs.userId, number: jobs.claim })
    .prepare()
  const release = orm.update(jobs).set({ status: 'pending' }).where(processing).prepare()
  const fail = orm
    .update(jobs)
    .set({
      status: 'failed',
      failureCode: sql`${sql.placeholder('code')}`,
      failureMessage: sql`${sql.placeholder('message')}`,
      expiresAt: expiry,
    })
    .where(processing)
    .returning({ id: jobs.id })
    .prepare()
  const complete = orm
    .update(jobs)
    .set({ status: 'completed', completedAt: sql`${now}`, expiresAt: expiry, fileCount, zipBytes })
    .where(processing)
    .returning({ id: jobs.id, userId: jobs.userId, expiresAt: jobs.expiresAt })
    .prepare()
  const setName = orm
    .update(entries)
    .set({ name: sql`${sql.placeholder('name')}` })
    .where(and(eq(entries.jobId, id), eq(entries.position, position)))
    .prepare()

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
  const entriesOf = orm
    .select()
    .from(entries)
    .where(eq(entries.jobId, id))
    .orderBy(asc(entries.position))
    .prepare()

  const setCounts = orm
    .update(jobs)
    .set({ fileCount, zipBytes })
    .where(ofClaim)
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
        setSlide.run({ id: jobId, from: null, to: null, by: null, movedBytes: null })
        break
    }
  }

  return {
    /** processing -> pending, for all: whoever ran them is dead. */
    releaseAll(): void {
      db.durably(() => orm.update(jobs).set({ status: 'pending' }).where(eq(jobs.status, 'processing')).run())
    },
    /** Who has a job waiting. */
    usersWithPending(): string[] {
      return usersWithPending.all().map((user) => user.id)
    },
    /** pending -> processing: the user's oldest, or null when none is left. */
    claimOldest(userId: string): Claim | null {
      return db.transaction(() => claim.get({ userId })) ?? null
    },
    /** Null when the job was deleted. */
    load(jobId: string): ClaimedJob | null {
      const row = order.get({ id: jobId })
      if (row === undefined) return null
      const { from, to, by, movedBytes } = row
      const moving = from !== null && to !== null && by !== null && movedBytes !== null
      return {
        plan: row.plan,
        failOnUrlError: row.failOnUrlError && !row.skipFailed,
        sources: sourcesOf.all({ id: jobId }),
        counts: { fileCount: row.fileCount, zipBytes: row.zipBytes },
        checkpoint: {
          entries: entriesOf.all({ id: jobId }).map(entryOf),
          slide: moving ? { from, to, by, movedBytes } : null,
        },
      }
    },

    /** Writes checkpoint changes in order. A run whose claim is gone, or whose job is, changes nothing. */
    commit(run: Claim, changes: readonly CheckpointChange[], counts: LiveCounts, durable: boolean): void {
      const work = () => {
        if (setCounts.get({ id: run.jobId, claim: run.number, ...counts }) === undefined) return
        for (const change of changes) apply(run.jobId, change)
      }
      if (durable) db.durably(work)
      else db.transaction(work)
    },

    /** processing -> completed; false when the job was cancelled or deleted meanwhile. */
    complete(run: Claim, zipSizeBytes: number, names: readonly EntryName[], at: number): boolean {
      return db.durably(() => {
        const counts = { fileCount: names.length, zipBytes: zipSizeBytes }
        const job = complete.get({ id: run.jobId, claim: run.number, now: at, ...counts })
        if (job === undefined || job.expiresAt === null) return false
        for (const name of names) setName.run({ id: run.jobId, ...name })
        const { id: jobId, userId, expiresAt } = job
        orm
          .insert(archiveStays)
          .values({ jobId, userId, sizeBytes: zipSizeBytes, storedAt: at, removedAt: expiresAt })
          .run()
        return true
      })
    },
    /** processing -> failed; false when the job was cancelled or deleted meanwhile. */
    fail(run: Claim, failure: JobFailure, at: number): boolean {
      return (
        db.durably(() => fail.get({ id: run.jobId, claim: run.number, now: at, ...failure })) !== undefined
      )
    },
    /** processing -> pending, to go on from the checkpoint when the service does. */
    release(run: Claim): void {
      db.durably(() => release.run({ id: run.jobId, claim: run.number }))
    },
  }
}
