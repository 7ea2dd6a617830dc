import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { jobs, sources } from '../db/schema.ts'
import type { JobOwned } from './progress.ts'

/** What is kept of jobs that have expired: their sources and entries for a while, their own rows for longer. */
export type DetailsStore = ReturnType<typeof openDetailsStore>

/** Rows of jobs that change or go in one transaction: others want to write, too. */
const JOBS_AT_ONCE = 100
/** Sources that go in one transaction, each with its entry: a few milliseconds. */
const SOURCES_AT_ONCE = 1_000

export function openDetailsStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const withDetails = (details: 'kept' | 'leaving' | 'gone') =>
    and(isNotNull(jobs.sweptAt), eq(jobs.details, details))
  const expiredWithDetails = orm
    .select({ jobId: jobs.id, userId: jobs.userId })
    .from(jobs)
    .where(and(withDetails('kept'), lte(jobs.expiresAt, sql.placeholder('before'))))
    .orderBy(asc(jobs.expiresAt))
    .limit(JOBS_AT_ONCE)
    .prepare()
  const leaving = orm.select({ id: jobs.id }).from(jobs).where(withDetails('leaving')).limit(1).prepare()
  const firstSources = orm
    .select({ position: sources.position })
    .from(sources)
    .where(eq(sources.jobId, id))
    .orderBy(asc(sources.position))
    .limit(SOURCES_AT_ONCE)
  // Their entries go with them.
  const dropSources = orm
    .delete(sources)
    .where(and(eq(sources.jobId, id), inArray(sources.position, firstSources)))
    .returning({ position: sources.position })
    .prepare()
  const setGone = orm.update(jobs).set({ details: 'gone' }).where(eq(jobs.id, id)).prepare()

  return {
    /** Says of a batch of jobs that expired before a time that their details are no longer to be had. */
    markDetailsDeletable(time: number): JobOwned[] {
      return db.transaction(() => {
        const found = expiredWithDetails.all({ before: time })
        const ids = found.map(({ jobId }) => jobId)
        if (ids.length > 0) orm.update(jobs).set({ details: 'leaving' }).where(inArray(jobs.id, ids)).run()
        return found
      })
    },
    /** Deletes a batch of details that are no longer to be had; false when none are left. */
    deleteSome(): boolean {
      return db.transaction(() => {
        const job = leaving.get()
        if (job === undefined) return false
        if (dropSources.all(job).length < SOURCES_AT_ONCE) setGone.run(job)
        return true
      })
    },
  }
}
