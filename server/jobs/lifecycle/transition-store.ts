import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Database, Tx } from '../../db/open.ts'
import { jobs } from '../../db/schema.ts'
import { MAX_DELETED_BYTES, withinBytes } from '../../db/within-bytes.ts'
import type { CompletedArchive, JobFailure } from '../../engine/job-order.ts'
import { openJobByteCount } from '../database-bytes-store.ts'
import { OWNED_JOB, requestFileDeletion } from '../deletion/deletion-store.ts'
import { CANCELLED, type Claim, type Job, type OwnedJob, type RetryOptions } from '../job.ts'
import { assertUnfinishedWithinLimit } from '../limits.ts'
import { forgetFailed, forgetFailedParts, forgetStored, openPlaceWriter } from './checkpoint-store.ts'
import {
  type CreationSteps,
  type JobToCreate,
  openCreationStore,
  type SourceToInsert,
} from './creation-store.ts'
import {
  archiveExpiry,
  beginRetention,
  endRetention,
  expiryAfter,
  type RetentionPeriod,
} from './retention-store.ts'
import { takeLink } from './share-link-store.ts'
import { assertOnlyRun, countUnfinished } from './unfinished-store.ts'

/**
 * Every change of a job's status, and its deletion by its owner: one SQL statement per transition of the table in `job.ts`, with the
 * old status in its WHERE. When that statement changes no row, the job is no longer in that status, and the function changes
 * nothing else.
 */
export type TransitionStore = ReturnType<typeof openTransitionStore>

/** Called in the transaction that ends a job, so that what it writes is committed with the end, or not at all. */
export type OnJobEnd = (
  tx: Tx,
  job: OwnedJob & Pick<Job, 'scheduleId'>,
  status: 'completed' | 'failed',
  now: number,
) => void

/** A finished archive on the local disk that is to be uploaded. Its job is `processing` without a run, and has the object's name. */
export interface PendingUpload {
  readonly jobId: string
  readonly userId: string
  readonly objectName: string
  readonly sizeBytes: number
}

export function openTransitionStore(db: Database, onEnd: OnJobEnd) {
  const creation = openCreationStore(db)
  const countBytes = openJobByteCount(db)
  const setFinalPlaces = openPlaceWriter(db)

  const pendingUploads = db.orm
    .select(PENDING_UPLOAD)
    .from(jobs)
    .where(and(eq(jobs.status, 'processing'), isNotNull(jobs.objectName)))
    .orderBy(asc(jobs.id))
    .prepare()

  /** Writes what follows from the end of a job. False when there was no job to end. */
  function recordEnd(
    tx: Tx,
    job: EndedJob | undefined,
    status: 'completed' | 'failed',
    now: number,
  ): boolean {
    if (job === undefined) return false
    const { scheduleId, ...period } = job
    const { jobId, userId } = period
    beginRetention(tx, { ...period, storedAt: now })
    if (status === 'completed') takeLink(tx, jobId)
    countBytes(tx, jobId)
    onEnd(tx, { jobId, userId, scheduleId }, status, now)
    return true
  }

  return {
    /** new -> pending. Throws `PLAN_LIMIT_EXCEEDED`, and creates nothing, when the user has too many unfinished jobs. */
    create: (job: JobToCreate, sources: readonly SourceToInsert[], steps: CreationSteps): Promise<void> =>
      creation.create(job, sources, steps, (tx) =>
        assertUnfinishedWithinLimit(countUnfinished(tx, job.userId)),
      ),
    isBeingWritten: creation.isBeingWritten,
    /** pending -> processing: the user's oldest job that has at most `maxUrls` URLs, or null when none is pending. */
    claimOldest(userId: string, maxUrls: number): Claim | null {
      return db.transaction((tx) => {
        const oldest = tx
          .select({ id: jobs.id })
          .from(jobs)
          .where(and(eq(jobs.userId, userId), eq(jobs.status, 'pending'), lte(jobs.urlCount, maxUrls)))
          .orderBy(asc(jobs.createdAt), asc(jobs.id))
          .limit(1)
        const claimed = tx
          .update(jobs)
          .set({ status: 'processing', claim: sql`${jobs.claim} + 1` })
          .where(and(eq(jobs.status, 'pending'), eq(jobs.id, oldest)))
          .returning(CLAIM)
          .get()
        return claimed ?? null
      })
    },
    /** The job stays processing, for another run. Returns how many runs have crashed since the last checkpoint change. */
    countCrash(run: Claim): number {
      const changed = db.durably((tx) =>
        tx
          .update(jobs)
          .set({ crashes: sql`${jobs.crashes} + 1` })
          .where(isRunBy(run))
          .returning({ crashes: jobs.crashes })
          .get(),
      )
      return changed?.crashes ?? 0
    },
    /** processing -> pending: the run stopped, and the next one continues from the checkpoint of `heldBytes`. */
    release(run: Claim, heldBytes: number): void {
      db.durably((tx) =>
        tx.update(jobs).set({ status: 'pending', zipBytes: heldBytes }).where(isRunBy(run)).run(),
      )
    },
    /** processing -> pending: the process that ran the job died. This counts as a crash, since the job may be the cause. */
    releaseAbandoned(jobId: string, heldBytes: number): void {
      db.durably((tx) =>
        tx
          .update(jobs)
          .set({ status: 'pending', zipBytes: heldBytes, crashes: sql`${jobs.crashes} + 1` })
          .where(and(eq(jobs.id, jobId), eq(jobs.status, 'processing')))
          .run(),
      )
    },
    /** processing -> completed. False when the job was deleted or claimed again meanwhile. */
    complete(run: Claim, { fileCount, zipBytes, changed }: CompletedArchive, now: number): boolean {
      return db.durably((tx) => {
        const ended = tx
          .update(jobs)
          .set({ status: 'completed', completedAt: now, expiresAt: archiveExpiry(now), fileCount, zipBytes })
          .where(isRunBy(run))
          .returning(ENDED_JOB)
          .get()
        const isCompleted = recordEnd(tx, ended, 'completed', now)
        if (isCompleted) setFinalPlaces(tx, run.jobId, changed)
        return isCompleted
      })
    },
    /** processing -> failed, with a checkpoint of `heldBytes`. False when the job was deleted or claimed again. */
    fail(run: Claim, failure: JobFailure, heldBytes: number, now: number): boolean {
      return db.durably((tx) => {
        const ended = tx
          .update(jobs)
          .set({ ...failed(failure, now), zipBytes: heldBytes })
          .where(isRunBy(run))
          .returning(ENDED_JOB)
          .get()
        return recordEnd(tx, ended, 'failed', now)
      })
    },
    /** pending, or processing without a run -> failed. False when the job has already ended. */
    cancel(userId: string, jobId: string, now: number): boolean {
      return db.durably((tx) => {
        const ended = tx
          .update(jobs)
          .set({ ...failed(CANCELLED, now), objectName: null })
          .where(and(isOwned(userId, jobId), inArray(jobs.status, ['pending', 'processing'])))
          .returning(ENDED_JOB)
          .get()
        return recordEnd(tx, ended, 'failed', now)
      })
    },
    /** Keeps the status `failed`. Call it before a retry. */
    replaceLong: creation.replaceLong,
    /**
     * failed -> pending. Returns whether the job starts from scratch: then its files must be deleted. Null when the job is not
     * failed or its URLs are no longer kept. Throws, and changes nothing: `INVALID_REQUEST` when a URL to be replaced has
     * not failed, `PLAN_LIMIT_EXCEEDED` when the user has too many unfinished jobs.
     */
    retry(
      userId: string,
      jobId: string,
      now: number,
      { skipFailed, fromCheckpoint, replace }: RetryOptions,
    ): { fromScratch: boolean } | null {
      return db.durably((tx) => {
        const fromScratch = !fromCheckpoint || hasExpired(tx, jobId, now)
        const retried = tx
          .update(jobs)
          .set({
            status: 'pending',
            skipFailed,
            failureCode: null,
            failureMessage: null,
            expiresAt: null,
            sweptAt: null,
            crashes: 0,
          })
          .where(and(isOwned(userId, jobId), eq(jobs.status, 'failed'), eq(jobs.details, 'kept')))
          .returning({ scheduleId: jobs.scheduleId })
          .get()
        if (retried === undefined) return null
        if (retried.scheduleId !== null) assertOnlyRun(tx, retried.scheduleId)
        assertUnfinishedWithinLimit(countUnfinished(tx, userId))
        creation.replaceFailed(tx, jobId, replace)
        if (skipFailed) forgetFailedParts(tx, [jobId])
        else forgetFailed(tx, jobId)
        endRetention(tx, jobId, now)
        if (fromScratch) {
          forgetStored(tx, [jobId])
          requestFileDeletion(tx, jobId)
        }
        return { fromScratch }
      })
    },
    /** Keeps the status. Expires a batch of archives and checkpoints; returns the jobs whose files may be deleted now. */
    expire(now: number): OwnedJob[] {
      return db.freeing((tx) => {
        const expired = tx
          .select({ ...OWNED_JOB, status: jobs.status, bytes: jobs.databaseBytes })
          .from(jobs)
          .where(and(hasExpiry, lte(jobs.expiresAt, now)))
          .orderBy(asc(jobs.expiresAt))
          .limit(MAX_EXPIRED_JOBS)
          .all()
        // A checkpoint that has expired can't be continued, so the entries of failed jobs go, too.
        const batch = withinBytes(expired, MAX_DELETED_BYTES)
        sweep(tx, idsOf(batch), now)
        forgetStored(tx, idsOf(batch.filter(({ status }) => status === 'failed')))
        return batch.map(({ jobId, userId }) => ({ jobId, userId }))
      })
    },
    /** Keeps the status `failed`. Deletes the checkpoint that expires first; returns its job, or null if none is left. */
    evictCheckpoint: (now: number): OwnedJob | null => db.freeing((tx) => evictOldestCheckpoint(tx, now)),
    /** any -> deleted, by its owner. Storage that the job has used still counts. False when there is no such job. */
    delete(userId: string, jobId: string, now: number): boolean {
      return db.freeing((tx) => {
        const deleted = tx.delete(jobs).where(isOwned(userId, jobId)).returning({ id: jobs.id }).get()
        if (deleted === undefined) return false
        endRetention(tx, jobId, now)
        return true
      })
    },

    /** The transitions of jobs whose archives are uploaded to the archive store. */
    uploads: {
      /** Keeps the status `processing`, without a run from now on. Null when the job was deleted or claimed again meanwhile. */
      begin(run: Claim, archive: CompletedArchive, objectName: string): PendingUpload | null {
        const { fileCount, zipBytes, changed } = archive
        return db.durably((tx) => {
          const upload = tx
            .update(jobs)
            .set({ objectName, fileCount, zipBytes, settledBytes: zipBytes })
            .where(isRunBy(run))
            .returning(PENDING_UPLOAD)
            .get()
          if (upload === undefined) return null
          setFinalPlaces(tx, run.jobId, changed)
          return upload
        })
      },
      /** The uploads that earlier processes have not completed, the oldest jobs first. */
      pending: (): PendingUpload[] => pendingUploads.all(),
      /**
       * processing -> completed: the store has the archive, and its file is to be deleted. False when the job was cancelled or
       * deleted meanwhile.
       */
      complete(upload: PendingUpload, now: number): boolean {
        return db.durably((tx) => {
          const ended = tx
            .update(jobs)
            .set({ status: 'completed', completedAt: now, expiresAt: archiveExpiry(now) })
            .where(isUpload(upload))
            .returning(ENDED_JOB)
            .get()
          const isCompleted = recordEnd(tx, ended, 'completed', now)
          if (isCompleted) requestFileDeletion(tx, upload.jobId)
          return isCompleted
        })
      },
      /** processing -> pending: the next run finds the finished archive, and completes the job. */
      release(upload: PendingUpload): void {
        db.durably((tx) => releaseUpload(tx, upload))
      },
      /**
       * processing -> pending, from scratch: the file of the finished archive is damaged or missing. False when the job was cancelled
       * or deleted meanwhile.
       */
      restart(upload: PendingUpload): boolean {
        return db.durably((tx) => {
          if (!releaseUpload(tx, upload)) return false
          forgetStored(tx, [upload.jobId])
          requestFileDeletion(tx, upload.jobId)
          return true
        })
      },
    },
  }
}

/** Keeps the status `failed`. Deletes the checkpoint that expires first; returns its job, or null if none is left. */
export function evictOldestCheckpoint(tx: Tx, now: number): OwnedJob | null {
  const job = tx
    .select(OWNED_JOB)
    .from(jobs)
    .where(and(hasExpiry, eq(jobs.status, 'failed'), gt(jobs.zipBytes, 0)))
    .orderBy(asc(jobs.expiresAt))
    .limit(1)
    .get()
  if (job === undefined) return null
  sweep(tx, [job.jobId], now)
  forgetStored(tx, [job.jobId])
  endRetention(tx, job.jobId, now)
  return job
}

/** In one transaction, so that other writers need not wait long. */
const MAX_EXPIRED_JOBS = 100

/** A job that has ended, with its retention period: of its archive or its checkpoint. */
type EndedJob = Omit<RetentionPeriod, 'storedAt'> & Pick<Job, 'scheduleId'>

const ENDED_JOB = {
  ...OWNED_JOB,
  sizeBytes: jobs.zipBytes,
  // A job that has ended has an expiry.
  removedAt: sql<number>`${jobs.expiresAt}`,
  scheduleId: jobs.scheduleId,
}
const CLAIM = {
  ...OWNED_JOB,
  claimNumber: jobs.claim,
  crashes: jobs.crashes,
  createdAt: jobs.createdAt,
  urlCount: jobs.urlCount,
}
const PENDING_UPLOAD = {
  ...OWNED_JOB,
  // A job that is uploaded has the name of its object.
  objectName: sql<string>`${jobs.objectName}`,
  sizeBytes: jobs.zipBytes,
}

/** The job has ended and is not swept. As in the index `jobs_to_sweep`. */
const hasExpiry = and(isNull(jobs.sweptAt), isNotNull(jobs.expiresAt))

function isOwned(userId: string, jobId: string) {
  return and(eq(jobs.id, jobId), eq(jobs.userId, userId))
}

/** A run may write while its claim is the latest of its job, until the finished archive is uploaded. */
function isRunBy({ jobId, claimNumber }: Claim) {
  return and(
    eq(jobs.id, jobId),
    eq(jobs.claim, claimNumber),
    eq(jobs.status, 'processing'),
    isNull(jobs.objectName),
  )
}

function isUpload({ jobId, objectName }: PendingUpload) {
  return and(eq(jobs.id, jobId), eq(jobs.objectName, objectName), eq(jobs.status, 'processing'))
}

/** False when the job was cancelled or deleted meanwhile. */
function releaseUpload(tx: Tx, upload: PendingUpload): boolean {
  const change = tx.update(jobs).set({ status: 'pending', objectName: null }).where(isUpload(upload))
  return change.returning({ id: jobs.id }).get() !== undefined
}

function failed({ code, message }: JobFailure, now: number) {
  return {
    status: 'failed' as const,
    failureCode: code,
    failureMessage: message,
    expiresAt: expiryAfter(now),
  }
}

function idsOf(batch: readonly OwnedJob[]): string[] {
  return batch.map(({ jobId }) => jobId)
}

function sweep(tx: Tx, jobIds: readonly string[], now: number): void {
  tx.update(jobs)
    .set({ sweptAt: now })
    .where(and(inArray(jobs.id, [...jobIds]), isNull(jobs.sweptAt)))
    .run()
}

function hasExpired(tx: Tx, jobId: string, now: number): boolean {
  const job = tx
    .select({ sweptAt: jobs.sweptAt, expiresAt: jobs.expiresAt })
    .from(jobs)
    .where(eq(jobs.id, jobId))
    .get()
  if (job === undefined) return false
  return job.sweptAt !== null || (job.expiresAt !== null && job.expiresAt <= now)
}
