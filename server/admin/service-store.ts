import { and, asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { jobs, users } from '../db/schema.ts'

/** Reads facts about the jobs of all users. */
export type ServiceStore = ReturnType<typeof openServiceStore>

/** Bytes on the disk of jobs that have ended and not expired. */
export interface StoredBytes {
  readonly archiveBytes: number
  /** What failed jobs keep for a retry. */
  readonly checkpointBytes: number
}

export function openServiceStore(db: Database) {
  const { orm } = db
  const bytesOf = (status: 'completed' | 'failed') =>
    sql<number>`coalesce(sum(${jobs.zipBytes}) FILTER (WHERE ${eq(jobs.status, status)}), 0)`
  // Reads only jobs that have files, by a partial index.
  const storedBytes = orm
    .select({ archiveBytes: bytesOf('completed'), checkpointBytes: bytesOf('failed') })
    .from(jobs)
    .where(and(isNull(jobs.sweptAt), isNotNull(jobs.expiresAt)))
    .prepare()
  // Reads the pending jobs of each user by an index, and stops at the first that has not started.
  const unstarted = orm
    .select({ at: jobs.createdAt })
    .from(jobs)
    .where(and(eq(jobs.userId, users.id), eq(jobs.status, 'pending'), eq(jobs.claim, 0)))
    .orderBy(asc(jobs.createdAt), asc(jobs.id))
    .limit(1)
  const oldestUnstarted = orm
    .select({ at: sql<number | null>`min(${unstarted})` })
    .from(users)
    .prepare()
  // Reads one row per running job.
  const countUploads = orm
    .select({ total: count() })
    .from(users)
    .innerJoin(jobs, eq(jobs.userId, users.id))
    .where(and(eq(jobs.status, 'processing'), isNotNull(jobs.objectName)))
    .prepare()

  return {
    storedBytes: (): StoredBytes => storedBytes.get() ?? { archiveBytes: 0, checkpointBytes: 0 },
    /** Jobs that wait until their archives are in the archive store. */
    countUploads: (): number => countUploads.get()?.total ?? 0,
    /** When the oldest job was created that waits for its first start; null when there is none. */
    oldestUnstartedJobAt: (): number | null => oldestUnstarted.get()?.at ?? null,
  }
}
