import type { Database } from '../db/open.ts'

/** Reads facts about the jobs of all users. */
export type ServiceStore = ReturnType<typeof openServiceStore>

/** Bytes on the disk of jobs that have ended and not expired. */
export interface StoredBytes {
  readonly archiveBytes: number
  /** What failed jobs keep for a retry. */
  readonly checkpointBytes: number
}

export function openServiceStore(db: Database) {
  // Reads only jobs that have files, by a partial index.
  const storedBytes = db.prepare<StoredBytes, Record<string, never>>(
    `SELECT coalesce(sum(zip_bytes) FILTER (WHERE status = 'completed'), 0) AS archiveBytes,
       coalesce(sum(zip_bytes) FILTER (WHERE status = 'failed'), 0) AS checkpointBytes
     FROM jobs WHERE swept_at IS NULL AND expires_at IS NOT NULL`,
  )
  // Reads the pending jobs of each user by an index, and stops at the first that has not started.
  const oldestUnstarted = db.prepare<{ createdAt: number | null }, Record<string, never>>(
    `SELECT min((SELECT created_at FROM jobs WHERE user_id = users.id AND status = 'pending' AND claim = 0
       ORDER BY created_at, id LIMIT 1)) AS createdAt
     FROM users`,
  )
  // Reads one row per running job.
  const countUploads = db.prepare<{ total: number }, Record<string, never>>(
    `SELECT count(*) AS total FROM users JOIN jobs ON user_id = users.id
     WHERE status = 'processing' AND object_name IS NOT NULL`,
  )

  return {
    storedBytes: (): StoredBytes => storedBytes.get({}) ?? { archiveBytes: 0, checkpointBytes: 0 },
    /** Jobs that wait until their archives are in the archive store. */
    countUploads: (): number => countUploads.get({})?.total ?? 0,
    /** When the oldest job was created that waits for its first start; null when there is none. */
    oldestUnstartedJobAt: (): number | null => oldestUnstarted.get({})?.createdAt ?? null,
  }
}
