import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { jobs } from '../db/schema.ts'
import type { JobOwned } from './progress.ts'
import { forgetCheckpoint } from './retry-store.ts'
import { endStays } from './stay-store.ts'

/** Jobs that have outlived their archive or their checkpoint. */
export type ExpiryStore = ReturnType<typeof openExpiryStore>

/** How many jobs lapse in one transaction, and how many URLs they have in all: others want to write, too. */
const BATCH = 100
const MAX_URLS_A_BATCH = 5_000

export function openExpiryStore(db: Database) {
  const { orm } = db
  const due = orm
    .select({ id: jobs.id, userId: jobs.userId, status: jobs.status, urlCount: jobs.urlCount })
    .from(jobs)
    .where(and(isNull(jobs.sweptAt), isNotNull(jobs.expiresAt), lte(jobs.expiresAt, sql.placeholder('now'))))
    .orderBy(asc(jobs.expiresAt))
    .limit(BATCH)
    .prepare()
  const oldestCheckpoint = orm
    .select({ jobId: jobs.id, userId: jobs.userId })
    .from(jobs)
    .where(
      and(isNull(jobs.sweptAt), isNotNull(jobs.expiresAt), eq(jobs.status, 'failed'), gt(jobs.zipBytes, 0)),
    )
    .orderBy(asc(jobs.expiresAt))
    .limit(1)
    .prepare()

  return {
    /** Lets go of a batch of expired archives and checkpoints: the jobs whose bytes may go now. */
    lapse(now: number): JobOwned[] {
      return db.durably(() => {
        const lapsed = firstOf(due.all({ now }))
        if (lapsed.length === 0) return []
        const ids = lapsed.map((job) => job.id)
        orm.update(jobs).set({ sweptAt: now }).where(inArray(jobs.id, ids)).run()
        for (const job of lapsed) if (job.status === 'failed') forgetCheckpoint(db, job.id, true)
        return lapsed.map((job) => ({ jobId: job.id, userId: job.userId }))
      })
    },
    /** Lets go of the checkpoint that would expire first: the job whose bytes may go now, or null when there is none. */
    evictCheckpoint(now: number): JobOwned | null {
      return db.durably(() => {
        const job = oldestCheckpoint.get()
        if (job === undefined) return null
        orm.update(jobs).set({ sweptAt: now }).where(eq(jobs.id, job.jobId)).run()
        forgetCheckpoint(db, job.jobId, true)
        endStays(db, job.jobId, now)
        return job
      })
    },
  }
}

/** The first of these jobs, as many as one transaction may take; a failed one's entries go with it. */
function firstOf<T extends { readonly urlCount: number }>(due: readonly T[]): T[] {
  let urls = 0
  return due.filter(({ urlCount }, index) => {
    urls += urlCount
    return index === 0 || urls <= MAX_URLS_A_BATCH
  })
}
