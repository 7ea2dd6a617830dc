import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { discards, jobs } from '../db/schema.ts'

/** Which jobs the database knows, and whose bytes it has written down to go. */
export type DiscardStore = ReturnType<typeof openDiscardStore>

/** A job whose bytes are to go. */
export interface Discard {
  readonly id: number
  readonly jobId: string
}

/** How many jobs one round deletes the bytes of. */
const BATCH = 100

export function openDiscardStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const wanted = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, id), isNull(jobs.sweptAt)))
    .prepare()
  const ofJob = orm
    .select({ id: discards.id })
    .from(discards)
    .where(eq(discards.jobId, id))
    .limit(1)
    .prepare()
  const next = orm
    .select({ id: discards.id, jobId: discards.jobId })
    .from(discards)
    .where(gt(discards.id, id))
    .orderBy(asc(discards.id))
    .limit(BATCH)
    .prepare()

  return {
    /** Whether the job is there and any bytes of it are still wanted. */
    isWanted(jobId: string): boolean {
      return wanted.get({ id: jobId }) !== undefined
    },
    /** The jobs whose archives are to be there. */
    archived(): string[] {
      const kept = and(isNull(jobs.sweptAt), isNotNull(jobs.expiresAt), eq(jobs.status, 'completed'))
      return orm
        .select({ id: jobs.id })
        .from(jobs)
        .where(kept)
        .all()
        .map((job) => job.id)
    },
    /** Whether bytes of the job are written down to go. */
    isDiscarded(jobId: string): boolean {
      return ofJob.get({ id: jobId }) !== undefined
    },
    /** What is written down behind an id, in order; another deletion may come to it meanwhile. */
    pendingAfter(after: number): Discard[] {
      return next.all({ id: after })
    },
    /** The bytes are gone. */
    done(ids: readonly number[]): void {
      if (ids.length === 0) return
      db.transaction(() =>
        orm
          .delete(discards)
          .where(inArray(discards.id, [...ids]))
          .run(),
      )
    },
  }
}

/** The bytes of a job that goes on without them are to go. Runs inside the transaction that forgets them. */
export function writeDiscard(db: Database, jobId: string): void {
  db.orm.insert(discards).values({ jobId }).run()
}
