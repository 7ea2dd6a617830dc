import { and, count, eq, inArray, sum } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { jobCounts, jobs } from '../../db/schema.ts'
import { ServiceError } from '../../errors.ts'

/** @throws ServiceError when another run of the schedule is under way: they never overlap */
export function assertOnlyRun(tx: Tx, scheduleId: string): void {
  const unfinished = and(eq(jobs.scheduleId, scheduleId), inArray(jobs.status, ['pending', 'processing']))
  const counted = tx.select({ total: count() }).from(jobs).where(unfinished).get()
  if ((counted?.total ?? 0) > 1)
    throw new ServiceError('INVALID_REQUEST', 'Another run of this schedule is under way. Wait for its end.')
}

/** The jobs of a user that have not ended. */
export function countUnfinished(tx: Tx, userId: string): number {
  const counted = tx
    .select({ total: sum(jobCounts.total).mapWith(Number) })
    .from(jobCounts)
    .where(and(eq(jobCounts.userId, userId), inArray(jobCounts.status, ['pending', 'processing'])))
    .get()
  return counted?.total ?? 0
}
