import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { jobs } from '../db/schema.ts'
import { openDetailsDeletion } from './details-deletion-store.ts'
import type { OwnedJob } from './progress.ts'

/** Deletes the sources and entries (the details) of jobs that expired long ago. Their own rows are kept for longer. */
export function openExpiredDetails(db: Database) {
  const { orm } = db
  const deletion = openDetailsDeletion(db)
  const withDetails = (details: 'kept' | 'leaving' | 'gone') =>
    and(isNotNull(jobs.sweptAt), eq(jobs.details, details))
  const expiredWithDetails = prepareLater(() =>
    orm
      .select({ jobId: jobs.id, userId: jobs.userId })
      .from(jobs)
      .where(and(withDetails('kept'), lte(jobs.expiresAt, sql.placeholder('before'))))
      .orderBy(asc(jobs.expiresAt))
      .limit(MAX_MARKED_JOBS)
      .prepare(),
  )
  const leaving = prepareLater(() =>
    orm.select({ id: jobs.id }).from(jobs).where(withDetails('leaving')).limit(1).prepare(),
  )
  const setGone = prepareLater(() =>
    orm
      .update(jobs)
      .set({ details: 'gone' })
      .where(eq(jobs.id, sql.placeholder('id')))
      .prepare(),
  )

  return {
    /** Marks the details of a batch of jobs that expired before a time, which hides them. Returns the jobs. */
    markDetailsDeletable(time: number): OwnedJob[] {
      return db.transaction(() => {
        const found = expiredWithDetails.all({ before: time })
        const ids = found.map(({ jobId }) => jobId)
        if (ids.length > 0) orm.update(jobs).set({ details: 'leaving' }).where(inArray(jobs.id, ids)).run()
        return found
      })
    },
    /** Deletes a batch of marked details; false when none are left. */
    deleteSome(): boolean {
      return db.transaction(() => {
        const job = leaving.get()
        if (job === undefined) return false
        if (deletion.deleteSome(job.id, MAX_DELETED_SOURCES) < MAX_DELETED_SOURCES) setGone.run(job)
        return true
      })
    },
  }
}

/** Jobs that one transaction changes, so that other writers need not wait long. */
const MAX_MARKED_JOBS = 100
/** Sources that one transaction deletes, each with its entry, in a few milliseconds. */
const MAX_DELETED_SOURCES = 1_000
