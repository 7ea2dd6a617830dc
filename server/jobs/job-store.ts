import { and, asc, desc, eq, exists, gt, isNull, lte, sql, sum } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { entries, jobCounts, jobs, sources, users } from '../db/schema.ts'
import type { EntryStatus, JobStatus } from '../vocabulary.ts'
import type { ListPlace } from './cursor.ts'
import type { Entry, Job, UrlError } from './job.ts'
import type { JobCounts, JobFilter } from './job-counts.ts'
import { baseOf, JOB_COLUMNS, jobOf } from './job-rows.ts'
import { openSampleReader } from './sample-store.ts'
import { openSourceReader, openUrlSearch } from './source-store.ts'

/** Reads jobs, their sources and their entries. */
export type JobStore = ReturnType<typeof openJobStore>

/** Sorts before every job. */
const NEWEST: ListPlace = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

export function openJobStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const userId = sql.placeholder('userId')
  const status = sql.placeholder('status')
  const position = sql.placeholder('position')

  const ofUser = eq(jobs.userId, userId)
  const withStatus = eq(jobs.status, status)
  const olderThan = sql`(${jobs.createdAt}, ${jobs.id}) < (${sql.placeholder('createdAt')}, ${id})`
  const page = (filter = and(ofUser, olderThan)) =>
    prepareLater(() =>
      orm
        .select(JOB_COLUMNS)
        .from(jobs)
        .where(filter)
        .orderBy(desc(jobs.createdAt), desc(jobs.id))
        .limit(sql.placeholder('limit'))
        .prepare(),
    )
  const anyPage = page()
  const pageWithStatus = page(and(ofUser, withStatus, olderThan))
  // Written as in the index `jobs_by_cancellation`, which SQLite would not use otherwise.
  const isCancelled = sql`(failure_code IS 'CANCELLED') = ${sql.placeholder('isCancelled')}`
  const pageOfFailed = page(and(ofUser, sql`status = 'failed'`, isCancelled, olderThan))
  const totals = prepareLater(() =>
    orm
      .select({ status: jobCounts.status, total: jobCounts.total, cancelled: jobCounts.cancelled })
      .from(jobCounts)
      .where(eq(jobCounts.userId, userId))
      .prepare(),
  )

  const totalsOfAllUsers = prepareLater(() =>
    orm
      .select({
        status: jobCounts.status,
        total: sum(jobCounts.total).mapWith(Number),
        cancelled: sum(jobCounts.cancelled).mapWith(Number),
      })
      .from(jobCounts)
      .groupBy(jobCounts.status)
      .prepare(),
  )

  const one = prepareLater(() =>
    orm
      .select({
        ...JOB_COLUMNS,
        metadata: jobs.metadata,
        asFiles: jobs.asFiles,
        expiresInSeconds: jobs.expiresInSeconds,
        details: jobs.details,
        baseJobId: jobs.baseJobId,
        baseReuse: jobs.baseReuse,
      })
      .from(jobs)
      .where(and(eq(jobs.id, id), ofUser))
      .prepare(),
  )
  const archived = prepareLater(() => orm.select(JOB_COLUMNS).from(jobs).where(eq(jobs.id, id)).prepare())
  const entryOfSource = and(eq(entries.jobId, sources.jobId), eq(entries.position, sources.position))
  const errorsAfter = prepareLater(() =>
    orm
      .select({ position: entries.position, url: sources.url, error: entries.error })
      .from(entries)
      .innerJoin(sources, entryOfSource)
      .where(and(eq(entries.jobId, id), eq(entries.status, 'failed'), gt(entries.position, position)))
      .orderBy(asc(entries.position))
      .limit(sql.placeholder('limit'))
      .prepare(),
  )
  const entriesAfter = prepareLater(() =>
    orm
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
      .prepare(),
  )

  const running = prepareLater(() =>
    orm
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.status, 'processing'), isNull(jobs.objectName)))
      .prepare(),
  )
  const usersWithPending = prepareLater(() =>
    orm
      .select({ id: users.id })
      .from(users)
      .where(
        exists(
          orm
            .select({ one: sql`1` })
            .from(jobs)
            .where(
              and(
                eq(jobs.userId, users.id),
                eq(jobs.status, 'pending'),
                lte(jobs.urlCount, sql.placeholder('maxUrls')),
              ),
            ),
        ),
      )
      .orderBy(asc(users.id))
      .prepare(),
  )

  function rowsOf(wanted: JobFilter | null, place: PagePlace) {
    switch (wanted) {
      case null:
        return anyPage.all(place)
      case 'cancelled':
        return pageOfFailed.all({ ...place, isCancelled: 1 })
      case 'failed otherwise':
        return pageOfFailed.all({ ...place, isCancelled: 0 })
      default:
        return pageWithStatus.all({ ...place, status: wanted })
    }
  }

  return {
    /** Newest first. */
    page(owner: string, wanted: JobFilter | null, after: ListPlace | null, limit: number): Job[] {
      const place = { userId: owner, limit, ...(after ?? NEWEST) }
      return rowsOf(wanted, place).map(jobOf)
    },
    counts: (owner: string): JobCounts => countsOf(totals.all({ userId: owner })),
    /** Reads one row per user and status, however many jobs there are. */
    countsOfAllUsers: (): JobCounts => countsOf(totalsOfAllUsers.all()),

    find(owner: string, jobId: string) {
      const row = one.get({ id: jobId, userId: owner })
      if (row === undefined) return null
      const { metadata, asFiles, expiresInSeconds, details, baseJobId, baseReuse, ...job } = row
      const base = baseOf({ baseJobId, baseReuse })
      return { job: jobOf(job), metadata, asFiles, expiresInSeconds, hasDetails: details === 'kept', base }
    },
    /** A job of any user, for the client that has its download token. */
    findForDownload(jobId: string): Job | null {
      const row = archived.get({ id: jobId })
      return row === undefined ? null : jobOf(row)
    },
    sourcesFrom: openSourceReader(db),
    hasUrlWith: openUrlSearch(db),
    sampleOf: openSampleReader(db),
    /** Failures after a position, in URL order. */
    errorsAfter(jobId: string, after: number, limit: number): (UrlError & { position: number })[] {
      return errorsAfter
        .all({ id: jobId, position: after, limit })
        .map((row) => ({ ...row, error: row.error ?? '' }))
    },
    /** The rows after a position, in URL order, as last committed. */
    entriesAfter(jobId: string, after: number, limit: number): Entry[] {
      return entriesAfter.all({ id: jobId, position: after, limit }).map((row) => ({
        ...row,
        sizeBytes: row.sizeBytes ?? 0,
        status: COMMITTED_STATUS[row.status ?? 'partial'],
      }))
    },

    /** Users who have a pending job with at most `maxUrls` URLs. */
    usersWithPending: (maxUrls: number): string[] => usersWithPending.all({ maxUrls }).map((user) => user.id),
    /** Running jobs of all users. Before the first claim after a start, these are the jobs of a process that died. */
    running: (): string[] => running.all().map((job) => job.id),
  }
}

type PagePlace = { createdAt: number; id: string; userId: string; limit: number }

function countsOf(rows: readonly { status: JobStatus; total: number; cancelled: number }[]): JobCounts {
  const counts = { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 }
  for (const { status, total, cancelled } of rows) {
    counts[status] = total
    counts.cancelled += cancelled
  }
  return counts
}

/** A body that was incomplete when the run ended waits for the next run. */
const COMMITTED_STATUS: Record<'stored' | 'partial' | 'failed', EntryStatus> = {
  stored: 'stored',
  partial: 'waiting',
  failed: 'failed',
}
