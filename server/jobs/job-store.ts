import { and, asc, desc, eq, gt, gte, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { entries, jobCounts, jobs, sources } from '../db/schema.ts'
import type { Source } from '../engine/job-order.ts'
import type { ListPlace } from './cursor.ts'
import { CANCELLED, type Entry, type EntryStatus, type Job, type JobStatus, type UrlError } from './job.ts'
import { JOB_COLUMNS, jobOf } from './job-rows.ts'
import { beginStay, endStays } from './stay-store.ts'
import { openUnfinishedLimit } from './unfinished-store.ts'

/** Jobs as their owners see them, and the transitions that owners make. */
export type JobStore = ReturnType<typeof openJobStore>

/** The settings of a job that is about to be created. */
export interface JobToInsert {
  readonly id: string
  readonly userId: string
  readonly zipFilename: string
  readonly expiresInSeconds: number
  readonly failOnUrlError: boolean
  readonly asFiles: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: number
}

export type JobCounts = Readonly<Record<JobStatus, number>>

/** Before the first row of every list. */
const NEWEST: ListPlace = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

export function openJobStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const userId = sql.placeholder('userId')
  const status = sql.placeholder('status')
  const position = sql.placeholder('position')

  const assertUnfinishedWithinLimit = openUnfinishedLimit(db)

  const insertJob = orm
    .insert(jobs)
    .values({
      id,
      userId,
      status: 'pending',
      zipFilename: sql.placeholder('zipFilename'),
      expiresInSeconds: sql.placeholder('expiresInSeconds'),
      failOnUrlError: sql.placeholder('failOnUrlError'),
      asFiles: sql.placeholder('asFiles'),
      metadata: sql.placeholder('metadata'),
      urlCount: sql.placeholder('urlCount'),
      createdAt: sql.placeholder('createdAt'),
    })
    .prepare()
  const insertSource = orm
    .insert(sources)
    .values({ jobId: id, position, url: sql.placeholder('url'), filename: sql.placeholder('filename') })
    .prepare()

  const ofUser = eq(jobs.userId, userId)
  const withStatus = eq(jobs.status, status)
  const olderThan = sql`(${jobs.createdAt}, ${jobs.id}) < (${sql.placeholder('createdAt')}, ${id})`
  const page = (filter = and(ofUser, olderThan)) =>
    orm
      .select(JOB_COLUMNS)
      .from(jobs)
      .where(filter)
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(sql.placeholder('limit'))
      .prepare()
  const anyPage = page()
  const pageWithStatus = page(and(ofUser, withStatus, olderThan))
  const totals = orm
    .select({ status: jobCounts.status, total: jobCounts.total })
    .from(jobCounts)
    .where(eq(jobCounts.userId, userId))
    .prepare()

  const one = orm
    .select({
      ...JOB_COLUMNS,
      metadata: jobs.metadata,
      asFiles: jobs.asFiles,
      expiresInSeconds: jobs.expiresInSeconds,
      details: jobs.details,
    })
    .from(jobs)
    .where(and(eq(jobs.id, id), ofUser))
    .prepare()
  const archived = orm.select(JOB_COLUMNS).from(jobs).where(eq(jobs.id, id)).prepare()
  const sourcesFrom = orm
    .select({ url: sources.url, filename: sources.filename })
    .from(sources)
    .where(and(eq(sources.jobId, id), gte(sources.position, position)))
    .orderBy(asc(sources.position))
    .limit(sql.placeholder('limit'))
    .prepare()
  const entryOfSource = and(eq(entries.jobId, sources.jobId), eq(entries.position, sources.position))
  const errorsAfter = orm
    .select({ position: entries.position, url: sources.url, error: entries.error })
    .from(entries)
    .innerJoin(sources, entryOfSource)
    .where(and(eq(entries.jobId, id), eq(entries.status, 'failed'), gt(entries.position, position)))
    .orderBy(asc(entries.position))
    .limit(sql.placeholder('limit'))
    .prepare()
  const entriesAfter = orm
    .select({
      position: sources.position,
      url: sources.url,
      status: entries.status,
      name: entries.name,
      sizeBytes: entries.sizeBytes,
      error: entries.error,
    })
    .from(sources)
    .leftJoin(entries, entryOfSource)
    .where(and(eq(sources.jobId, id), gt(sources.position, position)))
    .orderBy(asc(sources.position))
    .limit(sql.placeholder('limit'))
    .prepare()

  const cancel = orm
    .update(jobs)
    .set({
      status: 'failed',
      failureCode: CANCELLED.code,
      failureMessage: CANCELLED.message,
      expiresAt: sql`${sql.placeholder('now')} + ${jobs.expiresInSeconds} * 1000`,
    })
    .where(and(eq(jobs.id, id), ofUser, sql`${jobs.status} IN ('pending', 'processing')`))
    .returning({ sizeBytes: jobs.zipBytes, expiresAt: jobs.expiresAt })
    .prepare()
  const remove = orm
    .delete(jobs)
    .where(and(eq(jobs.id, id), ofUser))
    .returning({ id: jobs.id })
    .prepare()

  return {
    /** Creates a pending job; `PLAN_LIMIT_EXCEEDED` when the user has too many that have not ended. */
    insert(job: JobToInsert, jobSources: readonly Source[]): void {
      db.durably(() => {
        insertJob.run({ ...job, urlCount: jobSources.length })
        assertUnfinishedWithinLimit(job.userId)
        jobSources.forEach((source, index) => {
          insertSource.run({ id: job.id, position: index, url: source.url, filename: source.filename })
        })
      })
    },

    /** Newest first. */
    page(owner: string, wanted: JobStatus | null, after: ListPlace | null, limit: number): Job[] {
      const place = { userId: owner, limit, ...(after ?? NEWEST) }
      const rows = wanted === null ? anyPage.all(place) : pageWithStatus.all({ ...place, status: wanted })
      return rows.map(jobOf)
    },
    counts(owner: string): JobCounts {
      const counts = { pending: 0, processing: 0, completed: 0, failed: 0 }
      for (const row of totals.all({ userId: owner })) counts[row.status] = row.total
      return counts
    },

    find(owner: string, jobId: string) {
      const row = one.get({ id: jobId, userId: owner })
      if (row === undefined) return null
      const { metadata, asFiles, expiresInSeconds, details, ...job } = row
      return { job: jobOf(job), metadata, asFiles, expiresInSeconds, hasDetails: details === 'kept' }
    },
    /** Whoever owns it: for the bearer of a download token. */
    findForDownload(jobId: string): Job | null {
      const row = archived.get({ id: jobId })
      return row === undefined ? null : jobOf(row)
    },
    /** Sources from a position on. */
    sourcesFrom(jobId: string, first: number, limit: number): Source[] {
      return sourcesFrom.all({ id: jobId, position: first, limit })
    },
    /** Failures behind a position, in URL order. */
    errorsAfter(jobId: string, after: number, limit: number): (UrlError & { position: number })[] {
      return errorsAfter
        .all({ id: jobId, position: after, limit })
        .map((row) => ({ ...row, error: row.error ?? '' }))
    },
    /** The rows behind `after`, in URL order, as last committed. */
    entriesAfter(jobId: string, after: number, limit: number): Entry[] {
      return entriesAfter.all({ id: jobId, position: after, limit }).map((row) => ({
        ...row,
        sizeBytes: row.sizeBytes ?? 0,
        status: COMMITTED_STATUS[row.status ?? 'partial'],
      }))
    },

    /** pending, or processing that nobody runs -> failed; false when the job was in neither. */
    cancel(owner: string, jobId: string, now: number): boolean {
      return db.durably(() => {
        const job = cancel.get({ id: jobId, userId: owner, now })
        if (job === undefined || job.expiresAt === null) return false
        beginStay(db, { ...job, jobId, userId: owner, storedAt: now, removedAt: job.expiresAt })
        return true
      })
    },
    /** Forgets the job; what its archive took of the quota stays on the account. False when there was none. */
    remove(owner: string, jobId: string, now: number): boolean {
      return db.durably(() => {
        if (remove.get({ id: jobId, userId: owner }) === undefined) return false
        endStays(db, jobId, now)
        return true
      })
    },
  }
}

/** A body that was on its way when the run ended waits for the next run. */
const COMMITTED_STATUS: Record<'stored' | 'partial' | 'failed', EntryStatus> = {
  stored: 'stored',
  partial: 'waiting',
  failed: 'failed',
}
