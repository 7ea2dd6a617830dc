import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { Database, Tx } from '../../db/open.ts'
import { fileDeletions, jobs, objectDeletions, sources } from '../../db/schema.ts'
import { openJobByteCount } from '../database-bytes-store.ts'
import type { OwnedJob } from '../job.ts'

// What must be deleted later: files of jobs, their objects in the archive store, and their sources and entries (the details).

/** A row that requests the deletion of a job's files. */
export interface FileDeletion {
  readonly id: number
  readonly jobId: string
}

/** A row that requests the deletion of an object. */
export interface ObjectDeletion {
  readonly id: number
  readonly objectName: string
}

/** Which jobs need their files, and which jobs' files must be deleted. */
export type FileDeletionStore = ReturnType<typeof openFileDeletionStore>

export function openFileDeletionStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const isKept = and(eq(jobs.id, id), isNull(jobs.sweptAt))
  const isOnDisk = or(ne(jobs.status, 'completed'), isNull(jobs.objectName))
  const kept = orm.select({ id: jobs.id }).from(jobs).where(isKept).prepare()
  const withFiles = orm.select({ id: jobs.id }).from(jobs).where(and(isKept, isOnDisk)).prepare()
  const archived = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        isNull(jobs.sweptAt),
        isNotNull(jobs.expiresAt),
        eq(jobs.status, 'completed'),
        isNull(jobs.objectName),
      ),
    )
    .prepare()
  const ofJob = orm
    .select({ id: fileDeletions.id })
    .from(fileDeletions)
    .where(eq(fileDeletions.jobId, id))
    .limit(1)
    .prepare()
  const next = orm
    .select({ id: fileDeletions.id, jobId: fileDeletions.jobId })
    .from(fileDeletions)
    .where(gt(fileDeletions.id, id))
    .orderBy(asc(fileDeletions.id))
    .limit(FILE_BATCH)
    .prepare()

  return {
    /** Whether the job exists and has not expired. */
    isKept: (jobId: string): boolean => kept.get({ id: jobId }) !== undefined,
    /** Whether it also needs files in the archive directory: a completed archive may be in the archive store instead. */
    needsFiles: (jobId: string): boolean => withFiles.get({ id: jobId }) !== undefined,
    /** The jobs whose archives must be in the archive directory. */
    archived: (): string[] => archived.all().map((job) => job.id),
    /** Whether the deletion of the job's files is requested. */
    isPending: (jobId: string): boolean => ofJob.get({ id: jobId }) !== undefined,
    /** The next batch of rows after an id, in order. */
    pendingAfter: (after: number): FileDeletion[] => next.all({ id: after }),
    /** Deletes rows. Call it after their files have been deleted. */
    remove(ids: readonly number[]): void {
      if (ids.length === 0) return
      db.transaction((tx) =>
        tx
          .delete(fileDeletions)
          .where(inArray(fileDeletions.id, [...ids]))
          .run(),
      )
    },
  }
}

/** Requests the deletion of the files that a job has now. After the transaction, no job needs them. */
export function requestFileDeletion(tx: Tx, jobId: string): void {
  tx.insert(fileDeletions).values({ jobId }).run()
}

/** Which objects of the archive store must be deleted. Triggers of the migrations write the rows. */
export type ObjectDeletionStore = ReturnType<typeof openObjectDeletionStore>

export function openObjectDeletionStore(db: Database) {
  const next = db.orm
    .select()
    .from(objectDeletions)
    .where(gt(objectDeletions.id, sql.placeholder('id')))
    .orderBy(asc(objectDeletions.id))
    .limit(OBJECT_BATCH)
    .prepare()
  return {
    /** The next batch of rows after an id, in order. */
    pendingAfter: (after: number): ObjectDeletion[] => next.all({ id: after }),
    /** Deletes a row. Call it after the object was deleted. */
    remove(id: number): void {
      db.transaction((tx) => tx.delete(objectDeletions).where(eq(objectDeletions.id, id)).run())
    },
  }
}

/**
 * Deletes the details of jobs in steps, so that other writers need not wait long. One transaction may delete those of hundreds
 * of jobs, so its statements are prepared: 6 µs each, and 90 when they are built.
 */
export function openDetailsDeletion(db: Database) {
  const firstSource = db.orm
    .select({ position: sources.position })
    .from(sources)
    .where(eq(sources.jobId, sql.placeholder('jobId')))
    .orderBy(asc(sources.position))
    .limit(1)
    .prepare()
  const deleteEntries = db.prepareWrite<null, { jobId: string; end: number }>(
    'DELETE FROM entries WHERE job_id = $jobId AND position < $end',
  )
  const deleteSources = db.prepareWrite<{ position: number }, { jobId: string; end: number }>(
    'DELETE FROM sources WHERE job_id = $jobId AND position < $end RETURNING position',
  )
  return {
    /**
     * Deletes the next sources of a job, `limit` at most, and their entries. Returns how many sources it deleted; fewer than
     * `limit` when none are left.
     */
    deleteSome(tx: Tx, jobId: string, limit: number): number {
      const first = firstSource.get({ jobId })
      if (first === undefined) return 0
      const end = first.position + limit
      deleteEntries.run(tx, { jobId, end })
      return deleteSources.all(tx, { jobId, end }).length
    },
  }
}

/** Deletes the details of jobs that expired long ago, and later the jobs themselves. */
export type ExpiredDetails = ReturnType<typeof openExpiredDetails>

export function openExpiredDetails(db: Database) {
  const details = openDetailsDeletion(db)
  const countBytes = openJobByteCount(db)
  function setGone(tx: Tx, jobId: string): void {
    tx.update(jobs).set({ details: 'gone' }).where(eq(jobs.id, jobId)).run()
    countBytes(tx, jobId)
  }
  const withDetails = (state: 'kept' | 'leaving') => and(isNotNull(jobs.sweptAt), eq(jobs.details, state))

  return {
    /** Marks the details of a batch of jobs that expired before a time, which hides them. Returns the jobs. */
    markDetailsDeletable(time: number): OwnedJob[] {
      return db.transaction((tx) => {
        const batch = tx
          .select({ id: jobs.id })
          .from(jobs)
          .where(and(withDetails('kept'), lte(jobs.expiresAt, time)))
          .orderBy(asc(jobs.expiresAt))
          .limit(MAX_CHANGED_JOBS)
        return tx
          .update(jobs)
          .set({ details: 'leaving' })
          .where(inArray(jobs.id, batch))
          .returning(OWNED_JOB)
          .all()
      })
    },
    /** Deletes a batch of marked details; false when none are left. */
    deleteSome(): boolean {
      return db.transaction((tx) => {
        const job = tx.select({ id: jobs.id }).from(jobs).where(withDetails('leaving')).limit(1).get()
        if (job === undefined) return false
        if (details.deleteSome(tx, job.id, MAX_DELETED_SOURCES) < MAX_DELETED_SOURCES) setGone(tx, job.id)
        return true
      })
    },
    /**
     * Of a batch of the oldest jobs of a user, deletes those that have expired and have no details left. If there are none, marks the
     * details of those that have expired, which hides them. Returns the jobs.
     */
    makeRoom(userId: string): OwnedJob[] {
      return db.transaction((tx) => {
        const oldest = tx
          .select({ id: jobs.id, details: jobs.details, sweptAt: jobs.sweptAt })
          .from(jobs)
          .where(eq(jobs.userId, userId))
          .orderBy(asc(jobs.createdAt), asc(jobs.id))
          .limit(MAX_CHANGED_JOBS)
          .all()
          .filter(({ sweptAt }) => sweptAt !== null)
        // Changed by id alone: SQLite would rather search among all jobs whose details are gone, those of a year.
        const idsWithDetails = (state: 'kept' | 'gone') =>
          oldest.filter(({ details }) => details === state).map(({ id }) => id)
        const gone = idsWithDetails('gone')
        if (gone.length > 0) return tx.delete(jobs).where(inArray(jobs.id, gone)).returning(OWNED_JOB).all()
        const kept = idsWithDetails('kept')
        if (kept.length === 0) return []
        return tx
          .update(jobs)
          .set({ details: 'leaving' })
          .where(inArray(jobs.id, kept))
          .returning(OWNED_JOB)
          .all()
      })
    },
    /** completed, failed -> deleted: a batch of jobs that expired before a time and have no details left. */
    deleteWithoutDetails(before: number): OwnedJob[] {
      return db.transaction((tx) => {
        const batch = tx
          .select({ id: jobs.id })
          .from(jobs)
          .where(and(isNotNull(jobs.sweptAt), eq(jobs.details, 'gone'), lte(jobs.expiresAt, before)))
          .orderBy(asc(jobs.expiresAt))
          .limit(MAX_CHANGED_JOBS)
        return tx.delete(jobs).where(inArray(jobs.id, batch)).returning(OWNED_JOB).all()
      })
    },
  }
}

/** The columns of an `OwnedJob`. */
export const OWNED_JOB = { jobId: jobs.id, userId: jobs.userId }

/** Rows that are read together. */
const FILE_BATCH = 100
const OBJECT_BATCH = 16
/** Jobs that one transaction changes, so that other writers need not wait long. */
const MAX_CHANGED_JOBS = 100
/** Sources that one transaction deletes, each with its entry, in a few milliseconds: they may take 32 KB each. */
export const MAX_DELETED_SOURCES = 200
