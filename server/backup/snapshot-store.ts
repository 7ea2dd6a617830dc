import { and, asc, eq, gt, inArray, isNotNull, isNull, max, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/open.ts'
import { jobs, objectDeletions } from '../db/schema.ts'
import { forgetStored } from '../jobs/lifecycle/checkpoint-store.ts'
import { endRetention } from '../jobs/lifecycle/retention-store.ts'
import { evictOldestCheckpoint } from '../jobs/lifecycle/transition-store.ts'

/** A finished archive that has not expired. */
export interface KeptArchive {
  readonly jobId: string
  readonly filename: string
  readonly sizeBytes: number
  readonly completedAt: number
  /** Its object in the archive store; null when it is in the archive directory. */
  readonly objectName: string | null
}

/** Changes of the copy of a database, so that it describes what the backup contains. No service runs on the copy. */
export function openSnapshotStore(db: Database) {
  const { orm } = db
  const kept = orm
    .select({
      jobId: jobs.id,
      filename: jobs.zipFilename,
      sizeBytes: jobs.zipBytes,
      // A completed job has the time of its completion.
      completedAt: sql<number>`${jobs.completedAt}`,
      objectName: jobs.objectName,
    })
    .from(jobs)
    .where(and(isNull(jobs.sweptAt), isNotNull(jobs.expiresAt), eq(jobs.status, 'completed')))
    .orderBy(asc(jobs.expiresAt), asc(jobs.id))
    .prepare()
  const check = db.prepare<{ integrity_check: string }, Record<string, never>>('PRAGMA integrity_check(1)')

  return {
    /** Those that expire first come first. */
    archives: (): KeptArchive[] => kept.all(),
    /** Drops the checkpoints of all jobs that have not completed. A later run or retry fetches everything again. */
    dropCheckpoints(now: number): void {
      db.transaction((tx) => {
        const unfinished = tx
          .select({ id: jobs.id })
          .from(jobs)
          .where(inArray(jobs.status, ['pending', 'processing']))
          .all()
        for (const { id } of unfinished) forgetStored(tx, [id])
        keepingObjects(tx, () =>
          tx
            .update(jobs)
            .set({ objectName: null })
            .where(and(eq(jobs.status, 'processing'), isNotNull(jobs.objectName)))
            .run(),
        )
        while (evictOldestCheckpoint(tx, now) !== null);
      })
    },
    /** The archive is in the backup, so a restored service has it in its archive directory. */
    keepLocally(jobId: string): void {
      db.transaction((tx) =>
        keepingObjects(tx, () =>
          tx
            .update(jobs)
            .set({ objectName: null })
            .where(and(eq(jobs.id, jobId), isNotNull(jobs.objectName)))
            .run(),
        ),
      )
    },
    /** Expires an archive that was deleted while the backup ran. */
    expire(jobId: string, now: number): void {
      db.transaction((tx) => {
        tx.update(jobs)
          .set({ sweptAt: now, expiresAt: sql`min(${jobs.expiresAt}, ${now})` })
          .where(and(eq(jobs.id, jobId), isNull(jobs.sweptAt)))
          .run()
        endRetention(tx, jobId, now)
      })
    },
    /** Checks every page and index. */
    isWhole: (): boolean => check.get({})?.integrity_check === 'ok',
  }
}

/** The service whose database was copied still needs the objects: the copy must not request that they are deleted. */
function keepingObjects(tx: Tx, change: () => void): void {
  const last = tx
    .select({ id: max(objectDeletions.id) })
    .from(objectDeletions)
    .get()
  change()
  tx.delete(objectDeletions)
    .where(gt(objectDeletions.id, last?.id ?? 0))
    .run()
}
