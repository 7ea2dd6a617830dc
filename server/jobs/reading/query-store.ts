import { and, asc, desc, eq, exists, gt, isNull, lte, type SQL, sql, sum } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { entries, jobCounts, jobs, sources, users } from '../../db/schema.ts'
import type { EntryWarning } from '../../engine/checkpoint/checkpoint.ts'
import type { JobFailure, Source } from '../../engine/job-order.ts'
import { type ListPlace, NEWEST } from '../../paging.ts'
import { type EntryStatus, type JobStatus, MAX_UNFINISHED_FRACTION } from '../../vocabulary.ts'
import {
  type Base,
  type Entry,
  hasEnded,
  type Job,
  type JobCounts,
  type JobFilter,
  type KeptSettings,
  type UrlError,
} from '../job.ts'
import { openManifestReader } from './manifest-store.ts'
import { openSampleReader } from './sample-store.ts'
import { openSourceReader, openUrlSearch } from './source-store.ts'

/** Reads jobs, their sources and their entries. */
export type JobQueries = ReturnType<typeof openJobQueries>

export function openJobQueries(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const userId = sql.placeholder('userId')
  const status = sql.placeholder('status')
  const position = sql.placeholder('position')

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
  // Written as in the index `jobs_by_cancellation`, which SQLite would not use otherwise.
  const isCancelled = sql`(failure_code IS 'CANCELLED') = ${sql.placeholder('isCancelled')}`
  const pageOfFailed = page(and(ofUser, sql`status = 'failed'`, isCancelled, olderThan))
  const totals = orm
    .select({ status: jobCounts.status, total: jobCounts.total, cancelled: jobCounts.cancelled })
    .from(jobCounts)
    .where(eq(jobCounts.userId, userId))
    .prepare()

  const totalsOfAllUsers = orm
    .select({
      status: jobCounts.status,
      total: sum(jobCounts.total).mapWith(Number),
      cancelled: sum(jobCounts.cancelled).mapWith(Number),
    })
    .from(jobCounts)
    .groupBy(jobCounts.status)
    .prepare()

  const one = orm
    .select({
      ...JOB_COLUMNS,
      metadata: jobs.metadata,
      asFiles: jobs.asFiles,
      expiresInSeconds: jobs.expiresInSeconds,
      details: jobs.details,
      baseJobId: jobs.baseJobId,
      baseReuse: jobs.baseReuse,
      keepsGone: jobs.keepsGone,
    })
    .from(jobs)
    .where(and(eq(jobs.id, id), ofUser))
    .prepare()
  const ofSchedule = eq(jobs.scheduleId, sql.placeholder('scheduleId'))
  const newestOfSchedule = (filter: SQL | undefined) =>
    orm
      .select(JOB_COLUMNS)
      .from(jobs)
      .where(and(ofSchedule, filter))
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
  const isArchive = and(
    eq(jobs.status, 'completed'),
    isNull(jobs.sweptAt),
    gt(jobs.expiresAt, sql.placeholder('now')),
  )
  const archivesOfSchedule = newestOfSchedule(isArchive).prepare()
  const newestArchive = newestOfSchedule(isArchive).limit(1).prepare()
  const newestOfAny = newestOfSchedule(undefined).limit(1).prepare()
  const archived = orm.select(JOB_COLUMNS).from(jobs).where(eq(jobs.id, id)).prepare()
  const linked = orm
    .select(JOB_COLUMNS)
    .from(jobs)
    .where(and(eq(jobs.linkId, id), eq(jobs.holdsLink, true)))
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
      sha256: entries.sha256,
      error: entries.error,
      warningCode: entries.warningCode,
      warningMessage: entries.warningMessage,
      change: entries.change,
      keptFrom: entries.keptFrom,
    })
    .from(sources)
    .leftJoin(entries, entryOfSource)
    .where(and(eq(sources.jobId, id), gt(sources.position, position)))
    .orderBy(asc(sources.position))
    .limit(sql.placeholder('limit'))
    .prepare()

  const entryStates = orm
    .select({
      position: sources.position,
      status: entries.status,
      warningCode: entries.warningCode,
      warningMessage: entries.warningMessage,
      change: entries.change,
    })
    .from(sources)
    .leftJoin(entries, entryOfSource)
    .where(eq(sources.jobId, id))
    .orderBy(asc(sources.position))
    .prepare()

  const running = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.status, 'processing'), isNull(jobs.objectName)))
    .prepare()
  const usersWithPending = orm
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
    .prepare()

  const readSources = openSourceReader(db)
  /** All sources of a job, read from the database in batches. Throws when the job is deleted meanwhile. */
  function* sourcesOf(job: Job): Generator<Source> {
    let read = 0
    for (;;) {
      const batch = readSources(job.id, read, BATCH)
      yield* batch
      read += batch.length
      if (batch.length < BATCH) break
    }
    if (read < job.urlCount) throw new Error('the job was deleted while it was read')
  }

  /** The errors of a job in URL order, read from the database in batches. */
  function* errorsOf(jobId: string): Generator<UrlError> {
    let after = -1
    for (;;) {
      const batch = errorsAfter.all({ id: jobId, position: after, limit: BATCH })
      yield* batch.map(({ url, error }) => ({ url, error: error ?? '' }))
      const last = batch.at(-1)
      if (last === undefined || batch.length < BATCH) return
      after = last.position
    }
  }

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
      const { metadata, asFiles, expiresInSeconds, details, baseJobId, baseReuse, keepsGone, ...job } = row
      const settings: KeptSettings = { metadata, asFiles, base: baseOf({ baseJobId, baseReuse, keepsGone }) }
      return { job: jobOf(job), settings, expiresInSeconds, hasDetails: details === 'kept' }
    },
    /** A job of any user, for the client that has its download token. */
    findForDownload(jobId: string): Job | null {
      const row = archived.get({ id: jobId })
      return row === undefined ? null : jobOf(row)
    },
    /** The job that a share link opens; null when it was deleted. */
    findByLink(linkId: string): Job | null {
      const row = linked.get({ id: linkId })
      return row === undefined ? null : jobOf(row)
    },
    /** The job of the newest archive that a schedule keeps; if it keeps none, its newest job. Null when it has none. */
    latestOfSchedule(scheduleId: string, now: number): Job | null {
      const row = newestArchive.get({ scheduleId, now }) ?? newestOfAny.get({ scheduleId })
      return row === undefined ? null : jobOf(row)
    },
    /** The jobs of a schedule whose archives are kept, newest first. */
    archivesOfSchedule: (scheduleId: string, now: number): Job[] =>
      archivesOfSchedule.all({ scheduleId, now }).map(jobOf),
    sourcesOf,
    errorsOf,
    hasUrlWith: openUrlSearch(db),
    sampleOf: openSampleReader(db),
    /** Of all URLs of a job, as last committed. */
    entryStates: (jobId: string): EntryState[] =>
      entryStates.all({ id: jobId }).map(({ position, status, change, ...warning }) => ({
        position,
        change,
        status: COMMITTED_STATUS[status ?? 'partial'],
        warning: warningOf(warning),
      })),
    manifestFilesAfter: openManifestReader(db),
    /** The rows after a position, in URL order, as last committed. */
    entriesAfter(jobId: string, after: number, limit: number): Entry[] {
      const rows = entriesAfter.all({ id: jobId, position: after, limit })
      return rows.map(({ warningCode, warningMessage, ...row }) => ({
        ...row,
        sha256: row.sha256?.toString('hex') ?? null,
        name: row.status === 'failed' ? null : row.name,
        warning: warningOf({ warningCode, warningMessage }),
        sizeBytes: row.sizeBytes ?? 0,
        expectedBytes: null,
        status: COMMITTED_STATUS[row.status ?? 'partial'],
      }))
    },

    /** Users who have a pending job with at most `maxUrls` URLs. */
    usersWithPending: (maxUrls: number): string[] => usersWithPending.all({ maxUrls }).map((user) => user.id),
    /** Running jobs of all users. Before the first claim after a start, these are the jobs of a process that died. */
    running: (): string[] => running.all().map((job) => job.id),
  }
}

/** What lists of entries filter by. */
export type EntryState = Pick<Entry, 'position' | 'status' | 'warning' | 'change'>

type PagePlace = { createdAt: number; id: string; userId: string; limit: number }

function countsOf(rows: readonly { status: JobStatus; total: number; cancelled: number }[]): JobCounts {
  const counts = { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 }
  for (const { status, total, cancelled } of rows) {
    counts[status] = total
    counts.cancelled += cancelled
  }
  return counts
}

/** Rows that are read together. With the longest URLs they are 64 KB, which each client of a long response costs as long as it reads. */
const BATCH = 8
/** The columns of a `Job`. */
const JOB_COLUMNS = {
  id: jobs.id,
  userId: jobs.userId,
  status: jobs.status,
  zipFilename: jobs.zipFilename,
  failOnUrlError: jobs.failOnUrlError,
  failOnWarning: jobs.failOnWarning,
  hasManifest: jobs.hasManifest,
  urlCount: jobs.urlCount,
  fileCount: jobs.fileCount,
  zipBytes: jobs.zipBytes,
  reusedCount: jobs.reusedCount,
  warningCount: jobs.warningCount,
  createdAt: jobs.createdAt,
  completedAt: jobs.completedAt,
  expiresAt: jobs.expiresAt,
  failureCode: jobs.failureCode,
  failureMessage: jobs.failureMessage,
  scheduleId: jobs.scheduleId,
  changes: jobs.changes,
  objectName: jobs.objectName,
  settledBytes: jobs.settledBytes,
  edition: jobs.edition,
  linkId: jobs.linkId,
  holdsLink: jobs.holdsLink,
}

type JobRow = Pick<typeof jobs.$inferSelect, keyof typeof JOB_COLUMNS>

function jobOf({ failureCode, failureMessage, ...job }: JobRow): Job {
  const doneFraction = hasEnded(job) ? null : packedShare(job)
  return { ...job, doneFraction, failure: failureOf(failureCode, failureMessage) }
}

/** How much of a job is done, as long as no run reports what has arrived. */
function packedShare({ fileCount, urlCount }: Pick<JobRow, 'fileCount' | 'urlCount'>): number {
  return Math.min(fileCount / urlCount, MAX_UNFINISHED_FRACTION)
}

function failureOf(code: JobFailure['code'] | null, message: string | null): JobFailure | null {
  return code === null ? null : { code, message: message ?? '' }
}

/** Null when both columns are null. */
export function warningOf({ warningCode, warningMessage }: WarningColumns): EntryWarning | null {
  return warningCode === null ? null : { code: warningCode, message: warningMessage ?? '' }
}

export type WarningColumns = Pick<typeof entries.$inferSelect, 'warningCode' | 'warningMessage'>

export function baseOf({ baseJobId, baseReuse, keepsGone }: BaseColumns): Base | null {
  return baseJobId === null || baseReuse === null ? null : { jobId: baseJobId, reuse: baseReuse, keepsGone }
}

type BaseColumns = Pick<typeof jobs.$inferSelect, 'baseJobId' | 'baseReuse' | 'keepsGone'>

/** A body that was incomplete when the run ended waits for the next run. */
const COMMITTED_STATUS: Record<'stored' | 'partial' | 'failed', EntryStatus> = {
  stored: 'stored',
  partial: 'waiting',
  failed: 'failed',
}
