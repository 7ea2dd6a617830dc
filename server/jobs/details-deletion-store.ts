import type { Database } from '../db/open.ts'

/** Deletes the sources and entries (the details) of jobs in steps, so that other writers need not wait long. */
export function openDetailsDeletion(db: Database) {
  const firstPosition = db.prepare<{ position: number }, { jobId: string }>(
    'SELECT position FROM sources WHERE job_id = $jobId ORDER BY position LIMIT 1',
  )
  const deleteEntries = db.prepare<null, { jobId: string; end: number }>(
    'DELETE FROM entries WHERE job_id = $jobId AND position < $end',
  )
  const deleteSources = db.prepare<{ position: number }, { jobId: string; end: number }>(
    'DELETE FROM sources WHERE job_id = $jobId AND position < $end RETURNING position',
  )
  return {
    /**
     * Deletes the next sources of a job, `limit` at most, and their entries. Call it inside a transaction. Returns how many
     * sources it deleted; fewer than `limit` when none are left.
     */
    deleteSome(jobId: string, limit: number): number {
      const first = firstPosition.get({ jobId })
      if (first === null) return 0
      const end = first.position + limit
      deleteEntries.run({ jobId, end })
      return deleteSources.all({ jobId, end }).length
    },
  }
}
