import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { jobs, retentionPeriods } from '../db/schema.ts'
import { type JobSettings, KEPT_BY_SCHEDULE } from './job.ts'

/** How long the bytes of a job count against its owner's quota. Times are milliseconds since the epoch. */
export interface RetentionPeriod {
  readonly jobId: string
  readonly userId: string
  readonly sizeBytes: number
  readonly storedAt: number
  /** The expiry of the job, unless its bytes are deleted earlier. */
  readonly removedAt: number
}

/** The bytes of a job count from now on. */
export function beginRetention(tx: Tx, period: RetentionPeriod): void {
  if (period.sizeBytes > 0) tx.insert(retentionPeriods).values(period).run()
}

/** From now on, the bytes of the job no longer count. */
export function endRetention(tx: Tx, jobId: string, now: number): void {
  // A period never ends before it began, even when the clock was set back.
  const removedAt = sql`max(${retentionPeriods.storedAt}, ${now})`
  tx.update(retentionPeriods).set({ removedAt }).where(stillCounts(jobId, now)).run()
}

/** If the bytes of the job still count now, they count until `removedAt`. */
export function moveRetentionEnd(tx: Tx, jobId: string, now: number, removedAt: number): void {
  tx.update(retentionPeriods).set({ removedAt }).where(stillCounts(jobId, now)).run()
}

/**
 * Changes the name and the expiry of a job, and keeps its status. The new expiry of a job that has ended also ends its
 * retention period, so that the quota counts what the job really takes. False when there is no such job, or it has expired.
 */
export function changeSettings(
  tx: Tx,
  job: { readonly userId: string; readonly jobId: string },
  { zipBasename, expiresInSeconds }: JobSettings,
  now: number,
): boolean {
  const name = zipBasename === null ? {} : { zipFilename: `${zipBasename}.zip` }
  const expiry = expiresInSeconds === null ? {} : expiryIn(expiresInSeconds, now)
  const changed = tx
    .update(jobs)
    // One column at least, so that the statement also finds a job of which nothing changes.
    .set({ zipFilename: sql`${jobs.zipFilename}`, ...name, ...expiry })
    .where(
      and(
        eq(jobs.id, job.jobId),
        eq(jobs.userId, job.userId),
        isNull(jobs.sweptAt),
        or(isNull(jobs.expiresAt), gt(jobs.expiresAt, now)),
      ),
    )
    .returning({ expiresAt: jobs.expiresAt })
    .get()
  if (changed === undefined) return false
  if (changed.expiresAt !== null) moveRetentionEnd(tx, job.jobId, now, changed.expiresAt)
  return true
}

/** The expiry of a job that fails now. */
export function expiryAfter(now: number) {
  return sql`${now} + ${jobs.expiresInSeconds} * 1000`
}

/** The same of one that completes. A schedule keeps the archives of its runs. */
export function archiveExpiry(now: number) {
  return sql`iif(${jobs.scheduleId} IS NULL, ${expiryAfter(now)}, ${KEPT_BY_SCHEDULE})`
}

function stillCounts(jobId: string, now: number) {
  return and(eq(retentionPeriods.jobId, jobId), gt(retentionPeriods.removedAt, now))
}

/** A job that has not ended has no expiry yet. */
function expiryIn(expiresInSeconds: number, now: number) {
  const expiresAt = now + expiresInSeconds * 1000
  return {
    expiresInSeconds,
    expiresAt: sql`CASE WHEN ${jobs.expiresAt} IS NULL THEN NULL ELSE ${expiresAt} END`,
  }
}
