import type { Database } from '../db/open.ts'

/** How long the bytes of a job count against its owner's quota. Times are milliseconds since the epoch. */
export interface RetentionPeriod {
  readonly jobId: string
  readonly userId: string
  readonly sizeBytes: number
  readonly storedAt: number
  /** The expiry of the job, unless its bytes are deleted earlier. */
  readonly removedAt: number
}

/** Writes retention periods. Call it inside the transaction that ends a job, or that deletes its bytes. */
export function openRetentionStore(db: Database) {
  const insert = db.prepare<null, Readonly<Record<keyof RetentionPeriod, string | number>>>(
    `INSERT INTO retention_periods (job_id, user_id, size_bytes, stored_at, removed_at)
     VALUES ($jobId, $userId, $sizeBytes, $storedAt, $removedAt)`,
  )
  // A period never ends before it began, even when the clock was set back.
  const end = db.prepare<null, { jobId: string; now: number }>(
    'UPDATE retention_periods SET removed_at = max(stored_at, $now) WHERE job_id = $jobId AND removed_at > $now',
  )
  const move = db.prepare<null, { jobId: string; now: number; removedAt: number }>(
    'UPDATE retention_periods SET removed_at = $removedAt WHERE job_id = $jobId AND removed_at > $now',
  )
  return {
    begin(period: RetentionPeriod): void {
      if (period.sizeBytes > 0) insert.run({ ...period })
    },
    /** If the bytes of the job still count now, they count until `removedAt`. */
    move(jobId: string, now: number, removedAt: number): void {
      move.run({ jobId, now, removedAt })
    },
    /** From now on, the bytes of the job no longer count. */
    end(jobId: string, now: number): void {
      end.run({ jobId, now })
    },
  }
}
