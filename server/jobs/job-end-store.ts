import type { Database } from '../db/open.ts'
import type { FinalPlace } from '../engine/job-order.ts'
import { openJobEventStore } from './job-event-store.ts'
import { openRetentionStore, type RetentionPeriod } from './retention-store.ts'

/** The retention period of a job that has ended: of its archive or its checkpoint. */
export type EndedJob = Omit<RetentionPeriod, 'storedAt'>
/** The columns of an `EndedJob`. */
export const ENDED_JOB = 'id AS jobId, user_id AS userId, zip_bytes AS sizeBytes, expires_at AS removedAt'
/** Sets the expiry of a job that ends `$now`. */
export const SET_EXPIRY = 'expires_at = $now + expires_in_seconds * 1000'

/** Writes what follows from the end of a job. Call its functions inside the transaction that ends the job. */
export function openJobEndStore(db: Database) {
  const retention = openRetentionStore(db)
  const events = openJobEventStore(db)
  const setFinalPlace = db.prepare<null, Record<keyof FinalPlace, string | number> & { jobId: string }>(
    `UPDATE entries SET likely_name = nullif(name, $name), name = $name, offset = $offset, header_bytes = $headerBytes
     WHERE job_id = $jobId AND position = $position`,
  )
  return {
    /** @returns false when there was no job to end */
    recordEnd(job: EndedJob | null, status: 'completed' | 'failed', now: number): boolean {
      if (job === null) return false
      retention.begin({ ...job, storedAt: now })
      events.jobEnded(job, status, now)
      return true
    },
    /** Writes where the entries are in the finished archive. */
    setFinalPlaces(jobId: string, places: readonly FinalPlace[]): void {
      for (const place of places) setFinalPlace.run({ jobId, ...place })
    },
  }
}
