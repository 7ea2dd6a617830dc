import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { jobCounts } from '../db/schema.ts'
import { ServiceError } from '../errors.ts'

/** Enough for weeks of work. */
const MAX_UNFINISHED_JOBS = 1_000

/**
 * Limits the number of a user's pending and processing jobs. Call it in the transaction that has just made a job pending.
 * When the user then has too many, it throws `PLAN_LIMIT_EXCEEDED`, which rolls the transaction back.
 */
export function openUnfinishedLimit(db: Database): (userId: string) => void {
  const unfinished = prepareLater(() =>
    db.orm
      .select({ total: sql<number>`coalesce(sum(${jobCounts.total}), 0)` })
      .from(jobCounts)
      .where(
        and(
          eq(jobCounts.userId, sql.placeholder('userId')),
          inArray(jobCounts.status, ['pending', 'processing']),
        ),
      )
      .prepare(),
  )
  return (userId) => {
    const total = unfinished.get({ userId })?.total ?? 0
    if (total <= MAX_UNFINISHED_JOBS) return
    throw new ServiceError(
      'PLAN_LIMIT_EXCEEDED',
      `On every plan, a user may have ${MAX_UNFINISHED_JOBS} jobs that wait or run, and you have that many. ` +
        'Wait until some have ended, or cancel some.',
    )
  }
}
