import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { jobs, retentionPeriods } from '../../db/schema.ts'
import { KEPT_BY_SCHEDULE } from '../job.ts'

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
