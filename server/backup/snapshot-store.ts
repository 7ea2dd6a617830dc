import type { Database } from '../db/open.ts'
import { openCheckpointStore } from '../jobs/checkpoint-store.ts'
import { openRetentionStore } from '../jobs/retention-store.ts'
import { openTransitionStore } from '../jobs/transition-store.ts'

/** A finished archive that has not expired. */
export interface KeptArchive {
  readonly jobId: string
  readonly sizeBytes: number
}

/**
 * Writes a consistent copy of the database to an empty file. Other processes read and write the database meanwhile.
 * https://sqlite.org/lang_vacuum.html#vacuuminto
 */
export function copyDatabase(db: Database, path: string): void {
  db.prepare<null, { path: string }>('VACUUM INTO $path').run({ path })
}

/** Changes of the copy of a database, so that it describes what the backup contains. No service runs on the copy. */
export function openSnapshotStore(db: Database) {
  const transitions = openTransitionStore(db)
  const checkpoints = openCheckpointStore(db)
  const retention = openRetentionStore(db)
  const unfinished = db.prepare<{ id: string }, Record<string, never>>(
    "SELECT id FROM jobs WHERE status IN ('pending', 'processing')",
  )
  const kept = db.prepare<KeptArchive, Record<string, never>>(
    `SELECT id AS jobId, zip_bytes AS sizeBytes FROM jobs
     WHERE swept_at IS NULL AND expires_at IS NOT NULL AND status = 'completed' ORDER BY expires_at, id`,
  )
  const expireNow = db.prepare<null, { jobId: string; now: number }>(
    'UPDATE jobs SET swept_at = $now, expires_at = min(expires_at, $now) WHERE id = $jobId AND swept_at IS NULL',
  )
  const check = db.prepare<{ integrity_check: string }, Record<string, never>>('PRAGMA integrity_check(1)')

  return {
    /** Those that expire first come first. */
    archives: (): KeptArchive[] => kept.all({}),
    /** Drops the checkpoints of all jobs that have not completed. A later run or retry fetches everything again. */
    dropCheckpoints(now: number): void {
      db.transaction(() => {
        for (const { id } of unfinished.all({})) checkpoints.forgetStored(id)
      })
      while (transitions.evictCheckpoint(now) !== null);
    },
    /** Expires an archive that was deleted while the backup ran. */
    expire(jobId: string, now: number): void {
      db.transaction(() => {
        expireNow.run({ jobId, now })
        retention.end(jobId, now)
      })
    },
    /** Checks every page and index. */
    isWhole: (): boolean => check.get({})?.integrity_check === 'ok',
  }
}
