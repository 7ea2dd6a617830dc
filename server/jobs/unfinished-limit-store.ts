import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { jobCounts } from '../db/schema.ts'
import { ServiceError } from '../errors.ts'

/** Weeks of work for the service; more of them would only be rows that nobody waits for. */
export const MAX_UNFINISHED_JOBS = 1_000

/**
 * Holds users to that many jobs that wait or run. To be called in the transaction that has just made a job pending:
 * throws `PLAN_LIMIT_EXCEEDED`, which takes it back, when that was one too many.
 */
export function openUnfinishedLimit(db: Database): (userId: string) => void {
  const unfinished = db.orm
    .select({ total: sql<number>`coalesce(sum(${jobCounts.total}), 0)` })
    .from(jobCounts)
    .where(
      and(
        eq(jobCounts.userId, sql.placeholder('userId')),
        inArray(jobCounts.status, ['pending', 'processing']),
      ),
    )
    .prepare()
  return (userId) => {
    const total = unfinished.get({ userId })?.total ?? 0
    if (total <= MAX_UNFINISHED_JOBS) return
    throw new ServiceError(
      'PLAN_LIMIT_EXCEEDED',
      `On every plan a user may have ${MAX_UNFINISHED_JOBS} jobs that wait or run, and this would be one more. ` +
        'Wait for some to end, or cancel some.',
    )
  }
}
