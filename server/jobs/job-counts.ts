import type { JobStatus } from '../vocabulary.ts'

/** How many jobs are in each status. The `cancelled` ones have failed, too. */
export type JobCounts = Readonly<Record<JobStatus | 'cancelled', number>>

/** Which jobs a list shows: those of a status, or a part of the failed ones. */
export type JobFilter = JobStatus | 'cancelled' | 'failed otherwise'

/** How many jobs a filter lets through; null lets all through. */
export function totalOf(counts: JobCounts, filter: JobFilter | null): number {
  const { pending, processing, completed, failed, cancelled } = counts
  if (filter === null) return pending + processing + completed + failed
  return filter === 'failed otherwise' ? failed - cancelled : counts[filter]
}
