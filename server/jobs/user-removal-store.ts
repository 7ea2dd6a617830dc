import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { apiKeys, jobs, retentionPeriods, signInLinks, sources, users } from '../db/schema.ts'

/** Removes a user with all that is theirs, in steps that the service beside it hardly feels. */
export type UserRemovalStore = ReturnType<typeof openUserRemovalStore>

/** Rows that one step deletes, give or take a job's own: some milliseconds. */
const ROWS_AT_ONCE = 500

export function openUserRemovalStore(db: Database) {
  const { orm } = db
  const userId = sql.placeholder('userId')
  const jobId = sql.placeholder('jobId')
  const limit = sql.placeholder('limit')

  const unfinished = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.userId, userId), inArray(jobs.status, ['pending', 'processing'])))
    .prepare()
  const nextJobs = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(eq(jobs.userId, userId))
    .orderBy(asc(jobs.createdAt), asc(jobs.id))
    .limit(ROWS_AT_ONCE)
    .prepare()
  const firstSources = orm
    .select({ position: sources.position })
    .from(sources)
    .where(eq(sources.jobId, jobId))
    .orderBy(asc(sources.position))
    .limit(limit)
  // Their entries go with them.
  const dropSources = orm
    .delete(sources)
    .where(and(eq(sources.jobId, jobId), inArray(sources.position, firstSources)))
    .returning({ position: sources.position })
    .prepare()
  const dropJob = orm.delete(jobs).where(eq(jobs.id, jobId)).prepare()
  const dropSome = (table: typeof apiKeys | typeof retentionPeriods) => {
    const some = orm.select({ id: table.id }).from(table).where(eq(table.userId, userId)).limit(ROWS_AT_ONCE)
    return orm.delete(table).where(inArray(table.id, some)).returning({ id: table.id }).prepare()
  }
  const dropKeys = dropSome(apiKeys)
  const dropRetentionPeriods = dropSome(retentionPeriods)

  return {
    /** Deletes some of the user's keys, and all sign-in links; false when none are left. */
    dropSomeKeys(id: string): boolean {
      return db.transaction(() => {
        orm.delete(signInLinks).where(eq(signInLinks.userId, id)).run()
        return dropKeys.all({ userId: id }).length === ROWS_AT_ONCE
      })
    },
    /** Jobs that have not ended: they are to be cancelled before any of their rows goes. */
    unfinished(id: string): string[] {
      return unfinished.all({ userId: id }).map((job) => job.id)
    },
    /** Deletes some rows of the user's jobs: the jobs of which none are left. Null when there was nothing to delete. */
    dropSomeJobs(id: string): string[] | null {
      return db.transaction(() => {
        const found = nextJobs.all({ userId: id })
        if (found.length === 0) return null
        const dropped: string[] = []
        let rows = 0
        for (const job of found) {
          const left = ROWS_AT_ONCE - rows
          const sourceCount = dropSources.all({ jobId: job.id, limit: left }).length
          if (sourceCount === left) return dropped
          dropJob.run({ jobId: job.id })
          dropped.push(job.id)
          rows += sourceCount + 1
          if (rows >= ROWS_AT_ONCE) return dropped
        }
        return dropped
      })
    },
    /** Deletes some of the user's retention periods; false when none are left. */
    dropSomeRetentionPeriods(id: string): boolean {
      return db.transaction(() => dropRetentionPeriods.all({ userId: id }).length === ROWS_AT_ONCE)
    },
    /** At last the user. */
    dropUser(id: string): void {
      db.durably(() => orm.delete(users).where(eq(users.id, id)).run())
    },
  }
}
