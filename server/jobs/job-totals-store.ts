import { sum } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { jobCounts } from '../db/schema.ts'
import type { JobCounts } from './job-store.ts'

/** Reads how many jobs of all users are in each state: a row a user and state, however many jobs there are. */
export function openJobTotals(db: Database): () => JobCounts {
  const totals = db.orm
    .select({ status: jobCounts.status, total: sum(jobCounts.total).mapWith(Number) })
    .from(jobCounts)
    .groupBy(jobCounts.status)
    .prepare()
  return () => {
    const counts = { pending: 0, processing: 0, completed: 0, failed: 0 }
    for (const { status, total } of totals.all()) counts[status] = total
    return counts
  }
}
