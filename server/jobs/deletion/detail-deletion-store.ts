import { eq } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { runInBatches } from '../../db/run-in-batches.ts'
import { detailDeletions } from '../../db/schema.ts'
import { systemFault } from '../../files/system-error.ts'
import type { Log } from '../../logging/log.ts'
import { MAX_DELETED_SOURCES, openDetailsDeletion } from './deletion-store.ts'

/** Deletes the sources and entries of jobs that do not exist: of deleted ones, and of those whose creation broke off. */
export interface DetailDeletions {
  /** Deletes those of one job, in batches. If the disk refuses, they are left to `deletePending`: the job is deleted all the same. */
  deleteOf(jobId: string): Promise<void>
  /** Deletes those of all such jobs, in batches. */
  deletePending(stop: AbortSignal): Promise<void>
}

/** @param isBeingWritten whether the sources of a job are being written, and are not left over */
export function openDetailDeletions(
  db: Database,
  isBeingWritten: (jobId: string) => boolean,
  log: Log,
): DetailDeletions {
  const details = openDetailsDeletion(db)
  const all = db.orm.select({ jobId: detailDeletions.jobId }).from(detailDeletions).prepare()

  /** False when nothing was left. */
  function deleteSomeOf(jobId: string): boolean {
    return db.freeing((tx) => {
      const ofJob = eq(detailDeletions.jobId, jobId)
      if (tx.select().from(detailDeletions).where(ofJob).get() === undefined) return false
      if (details.deleteSome(tx, jobId, MAX_DELETED_SOURCES) < MAX_DELETED_SOURCES)
        tx.delete(detailDeletions).where(ofJob).run()
      return true
    })
  }

  function deleteSome(): boolean {
    const job = all.all().find(({ jobId }) => !isBeingWritten(jobId))
    return job !== undefined && deleteSomeOf(job.jobId)
  }

  return {
    async deleteOf(jobId) {
      try {
        await runInBatches(async () => deleteSomeOf(jobId))
      } catch (error) {
        if (systemFault(error) === null) throw error
        log.warn('the list of a deleted job could not be deleted yet', { job: jobId, error })
      }
    },
    deletePending: (stop) => runInBatches(async () => deleteSome(), stop),
  }
}
