import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { fileDeletions, jobs } from '../db/schema.ts'

/** Which jobs need their files, and which jobs' files must be deleted. */
export type FileDeletionStore = ReturnType<typeof openFileDeletionStore>

/** A row that requests the deletion of a job's files. */
export interface FileDeletion {
  readonly id: number
  readonly jobId: string
}

export function openFileDeletionStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const isKept = and(eq(jobs.id, id), isNull(jobs.sweptAt))
  const kept = prepareLater(() => orm.select({ id: jobs.id }).from(jobs).where(isKept).prepare())
  const withFiles = prepareLater(() =>
    orm
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(isKept, or(ne(jobs.status, 'completed'), isNull(jobs.objectName))))
      .prepare(),
  )
  const ofJob = prepareLater(() =>
    orm
      .select({ id: fileDeletions.id })
      .from(fileDeletions)
      .where(eq(fileDeletions.jobId, id))
      .limit(1)
      .prepare(),
  )
  const next = prepareLater(() =>
    orm
      .select({ id: fileDeletions.id, jobId: fileDeletions.jobId })
      .from(fileDeletions)
      .where(gt(fileDeletions.id, id))
      .orderBy(asc(fileDeletions.id))
      .limit(BATCH)
      .prepare(),
  )

  return {
    /** Whether the job exists and has not expired. */
    isKept: (jobId: string): boolean => kept.get({ id: jobId }) !== undefined,
    /** Whether it also needs files in the archive directory: a completed archive may be in the archive store instead. */
    needsFiles(jobId: string): boolean {
      return withFiles.get({ id: jobId }) !== undefined
    },
    /** The jobs whose archives must be in the archive directory. */
    archived(): string[] {
      const isArchived = and(isNull(jobs.sweptAt), isNotNull(jobs.expiresAt), eq(jobs.status, 'completed'))
      return orm
        .select({ id: jobs.id })
        .from(jobs)
        .where(and(isArchived, isNull(jobs.objectName)))
        .all()
        .map((job) => job.id)
    },
    /** Whether the deletion of the job's files is requested. */
    isPending(jobId: string): boolean {
      return ofJob.get({ id: jobId }) !== undefined
    },
    /** The next batch of rows after an id, in order. */
    pendingAfter(after: number): FileDeletion[] {
      return next.all({ id: after })
    },
    /** Deletes rows. Call it after their files have been deleted. */
    remove(ids: readonly number[]): void {
      if (ids.length === 0) return
      db.transaction(() =>
        orm
          .delete(fileDeletions)
          .where(inArray(fileDeletions.id, [...ids]))
          .run(),
      )
    },
  }
}

/** Requests the deletion of the files that a job has now. Call it inside the transaction after which no job needs them. */
export function writeFileDeletion(db: Database, jobId: string): void {
  db.orm.insert(fileDeletions).values({ jobId }).run()
}

/** Rows that are read together. */
const BATCH = 100
