import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { jobs } from '../../db/schema.ts'
import type { JobEdit, OwnedJob } from '../job.ts'
import { moveRetentionEnd } from './retention-store.ts'

/**
 * Changes the name and the expiry of a job, and keeps its status. The new expiry of a job that has ended also ends its
 * retention period, so that the quota counts the archive for as long as it is kept. False when there is no such job, or it has expired.
 */
export function editJob(tx: Tx, job: OwnedJob, edit: JobEdit, now: number): boolean {
  const { zipBasename, expiresInSeconds } = edit
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

/** A job that has not ended has no expiry yet. */
function expiryIn(expiresInSeconds: number, now: number) {
  const expiresAt = now + expiresInSeconds * 1000
  return {
    expiresInSeconds,
    expiresAt: sql`CASE WHEN ${jobs.expiresAt} IS NULL THEN NULL ELSE ${expiresAt} END`,
  }
}
