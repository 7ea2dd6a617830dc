import type { Database } from '../db/open.ts'
import { openCheckpointStore } from '../jobs/checkpoint-store.ts'
import { openRetentionStore } from '../jobs/retention-store.ts'
import { openTransitionStore } from '../jobs/transition-store.ts'

/** A finished archive that has not expired. */
export interface KeptArchive {
  readonly jobId: string
  readonly sizeBytes: number
  readonly completedAt: number
  /** Its object in the archive store; null when it is in the archive directory. */
  readonly objectName: string | null
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
    `SELECT id AS jobId, zip_bytes AS sizeBytes, completed_at AS completedAt, object_name AS objectName FROM jobs
     WHERE swept_at IS NULL AND expires_at IS NOT NULL AND status = 'completed' ORDER BY expires_at, id`,
  )
  const expireNow = db.prepare<null, { jobId: string; now: number }>(
    'UPDATE jobs SET swept_at = $now, expires_at = min(expires_at, $now) WHERE id = $jobId AND swept_at IS NULL',
  )
  const forgetUploads = db.prepare<null, Record<string, never>>(
    "UPDATE jobs SET object_name = NULL WHERE status = 'processing' AND object_name IS NOT NULL",
  )
  const forgetObject = db.prepare<null, { jobId: string }>(
    'UPDATE jobs SET object_name = NULL WHERE id = $jobId AND object_name IS NOT NULL',
  )
  const lastDeletion = db.prepare<{ id: number }, Record<string, never>>(
    'SELECT coalesce(max(id), 0) AS id FROM object_deletions',
  )
  const cancelDeletions = db.prepare<null, { after: number }>(
    'DELETE FROM object_deletions WHERE id > $after',
  )

  /** The service whose database was copied still needs the objects: the copy must not request that they are deleted. */
  function keepingObjects(change: () => void): void {
    db.transaction(() => {
      const after = lastDeletion.get({})?.id ?? 0
      change()
      cancelDeletions.run({ after })
    })
  }

  const check = db.prepare<{ integrity_check: string }, Record<string, never>>('PRAGMA integrity_check(1)')

  return {
    /** Those that expire first come first. */
    archives: (): KeptArchive[] => kept.all({}),
    /** Drops the checkpoints of all jobs that have not completed. A later run or retry fetches everything again. */
    dropCheckpoints(now: number): void {
      db.transaction(() => {
        for (const { id } of unfinished.all({})) checkpoints.forgetStored(id)
      })
      keepingObjects(() => forgetUploads.run({}))
      while (transitions.evictCheckpoint(now) !== null);
    },
    /** The archive is in the backup, so a restored service has it in its archive directory. */
    keepLocally: (jobId: string): void => keepingObjects(() => forgetObject.run({ jobId })),
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
