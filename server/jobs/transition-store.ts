import type { Database } from '../db/open.ts'
import type { CompletedArchive, JobFailure } from '../engine/job-order.ts'
import { openCheckpointStore } from './checkpoint-store.ts'
import { writeFileDeletion } from './file-deletion-store.ts'
import { CANCELLED, type Claim, type RetryOptions } from './job.ts'
import { type JobToCreate, openJobCreation } from './job-creation-store.ts'
import { ENDED_JOB, type EndedJob, openJobEndStore, SET_EXPIRY } from './job-end-store.ts'
import type { OwnedJob } from './progress.ts'
import { openRetentionStore } from './retention-store.ts'
import { openSourceStore, type SourceToInsert } from './source-store.ts'
import { openUnfinishedLimit } from './unfinished-limit-store.ts'

/**
 * Every change of a job's status, and its deletion (except uploads, and the removal of a user): one SQL statement per transition
 * of the table in `job.ts`, with the old status in its WHERE. When that statement changes no row, the job is no longer in that
 * status, and the function changes nothing else.
 */
export type TransitionStore = ReturnType<typeof openTransitionStore>

/** The most jobs, with the most URLs, that one transaction expires, so that other writers need not wait long. */
const MAX_EXPIRED_JOBS = 100
const MAX_EXPIRED_URLS = 5_000
/** The most jobs that one transaction deletes. None of them has sources or entries left. */
const MAX_DELETED_JOBS = 100

export function openTransitionStore(db: Database) {
  const checkpoints = openCheckpointStore(db)
  const retention = openRetentionStore(db)
  const { recordEnd, setFinalPlaces } = openJobEndStore(db)
  const sources = openSourceStore(db)
  const createJob = openJobCreation(db)
  const assertUnfinishedWithinLimit = openUnfinishedLimit(db)

  const claimOldest = db.prepare<Claim, { userId: string; maxUrls: number }>(
    `UPDATE jobs SET status = 'processing', claim = claim + 1
     WHERE status = 'pending' AND id = (
       SELECT id FROM jobs WHERE user_id = $userId AND status = 'pending' AND url_count <= $maxUrls
       ORDER BY created_at, id LIMIT 1)
     RETURNING id AS jobId, user_id AS userId, claim AS claimNumber, crashes, created_at AS createdAt,
       url_count AS urlCount`,
  )
  const countCrash = db.prepare<{ crashes: number }, RunKey>(
    `UPDATE jobs SET crashes = crashes + 1 WHERE ${OF_RUN} RETURNING crashes`,
  )
  const release = db.prepare<null, RunKey & { heldBytes: number }>(
    `UPDATE jobs SET status = 'pending', zip_bytes = $heldBytes WHERE ${OF_RUN}`,
  )
  const releaseAbandoned = db.prepare<null, { jobId: string; heldBytes: number }>(
    `UPDATE jobs SET status = 'pending', zip_bytes = $heldBytes, crashes = crashes + 1
     WHERE id = $jobId AND status = 'processing'`,
  )
  const complete = db.prepare<EndedJob, RunKey & { fileCount: number; zipBytes: number; now: number }>(
    `UPDATE jobs SET status = 'completed', completed_at = $now, ${SET_EXPIRY}, file_count = $fileCount,
       zip_bytes = $zipBytes
     WHERE ${OF_RUN} RETURNING ${ENDED_JOB}`,
  )
  const fail = db.prepare<EndedJob, RunKey & FailureColumns & { heldBytes: number; now: number }>(
    `UPDATE jobs SET status = 'failed', ${SET_FAILURE}, ${SET_EXPIRY}, zip_bytes = $heldBytes
     WHERE ${OF_RUN} RETURNING ${ENDED_JOB}`,
  )
  const cancel = db.prepare<EndedJob, FailureColumns & { jobId: string; userId: string; now: number }>(
    `UPDATE jobs SET status = 'failed', object_name = NULL, ${SET_FAILURE}, ${SET_EXPIRY}
     WHERE id = $jobId AND user_id = $userId AND status IN ('pending', 'processing') RETURNING ${ENDED_JOB}`,
  )
  const hasExpired = db.prepare<{ hasExpired: number }, { jobId: string; now: number }>(
    'SELECT swept_at IS NOT NULL OR expires_at <= $now AS hasExpired FROM jobs WHERE id = $jobId',
  )
  const retry = db.prepare<{ id: string }, { jobId: string; userId: string; skipFailed: boolean }>(
    `UPDATE jobs SET status = 'pending', skip_failed = $skipFailed, failure_code = NULL, failure_message = NULL,
       expires_at = NULL, swept_at = NULL, crashes = 0
     WHERE id = $jobId AND user_id = $userId AND status = 'failed' AND details = 'kept' RETURNING id`,
  )
  const expiredJobs = db.prepare<OwnedJob & { status: string; urlCount: number }, { now: number }>(
    `SELECT id AS jobId, user_id AS userId, status, url_count AS urlCount FROM jobs
     WHERE swept_at IS NULL AND expires_at IS NOT NULL AND expires_at <= $now
     ORDER BY expires_at LIMIT ${MAX_EXPIRED_JOBS}`,
  )
  const oldestCheckpoint = db.prepare<OwnedJob, Record<string, never>>(
    `SELECT id AS jobId, user_id AS userId FROM jobs
     WHERE swept_at IS NULL AND expires_at IS NOT NULL AND status = 'failed' AND zip_bytes > 0
     ORDER BY expires_at LIMIT 1`,
  )
  const sweep = db.prepare<null, { jobId: string; now: number }>(
    'UPDATE jobs SET swept_at = $now WHERE id = $jobId AND swept_at IS NULL',
  )
  const deleteOfUser = db.prepare<{ id: string }, { jobId: string; userId: string }>(
    'DELETE FROM jobs WHERE id = $jobId AND user_id = $userId RETURNING id',
  )
  const deleteWithoutDetails = db.prepare<OwnedJob, { before: number }>(
    `DELETE FROM jobs WHERE id IN (
       SELECT id FROM jobs WHERE swept_at IS NOT NULL AND details = 'gone' AND expires_at <= $before
       ORDER BY expires_at LIMIT ${MAX_DELETED_JOBS})
     RETURNING id AS jobId, user_id AS userId`,
  )

  return {
    /** new -> pending. Throws `PLAN_LIMIT_EXCEEDED`, and creates nothing, when the user has too many unfinished jobs. */
    create(job: JobToCreate, jobSources: readonly SourceToInsert[]): void {
      db.durably(() => {
        createJob(job, jobSources)
        assertUnfinishedWithinLimit(job.userId)
      })
    },
    /** pending -> processing: the user's oldest job that has at most `maxUrls` URLs, or null when none is pending. */
    claimOldest: (userId: string, maxUrls: number): Claim | null =>
      db.transaction(() => claimOldest.get({ userId, maxUrls })),
    /** The job stays processing, for another run. Returns how many runs have crashed since the last checkpoint change. */
    countCrash: (run: Claim): number => db.durably(() => countCrash.get(keyOf(run)))?.crashes ?? 0,
    /** processing -> pending: the run stopped, and the next one continues from the checkpoint of `heldBytes`. */
    release: (run: Claim, heldBytes: number): void =>
      db.durably(() => release.run({ ...keyOf(run), heldBytes })),
    /** processing -> pending: the process that ran the job died. This counts as a crash, since the job may be the cause. */
    releaseAbandoned: (jobId: string, heldBytes: number): void =>
      db.durably(() => releaseAbandoned.run({ jobId, heldBytes })),
    /** processing -> completed. False when the job was deleted or claimed again meanwhile. */
    complete(run: Claim, { fileCount, zipBytes, changed }: CompletedArchive, now: number): boolean {
      return db.durably(() => {
        const ended = complete.get({ ...keyOf(run), now, fileCount, zipBytes })
        const isCompleted = recordEnd(ended, 'completed', now)
        if (isCompleted) setFinalPlaces(run.jobId, changed)
        return isCompleted
      })
    },
    /** processing -> failed, with a checkpoint of `heldBytes`. False when the job was deleted or claimed again. */
    fail(run: Claim, failure: JobFailure, heldBytes: number, now: number): boolean {
      const columns = { ...keyOf(run), ...failure, heldBytes, now }
      return db.durably(() => recordEnd(fail.get(columns), 'failed', now))
    },
    /** pending, or processing without a run -> failed. False when the job has already ended. */
    cancel: (userId: string, jobId: string, now: number): boolean =>
      db.durably(() => recordEnd(cancel.get({ userId, jobId, now, ...CANCELLED }), 'failed', now)),
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
      return db.durably(() => {
        const fromScratch = !fromCheckpoint || hasExpired.get({ jobId, now })?.hasExpired === 1
        if (retry.get({ jobId, userId, skipFailed }) === null) return null
        assertUnfinishedWithinLimit(userId)
        sources.replaceFailed(jobId, replace)
        if (!skipFailed) checkpoints.forgetFailed(jobId)
        retention.end(jobId, now)
        if (fromScratch) {
          checkpoints.forgetStored(jobId)
          writeFileDeletion(db, jobId)
        }
        return { fromScratch }
      })
    },
    /** Keeps the status. Expires a batch of archives and checkpoints; returns the jobs whose files may be deleted now. */
    expire(now: number): OwnedJob[] {
      return db.durably(() => {
        const expired = withinUrlLimit(expiredJobs.all({ now }))
        for (const { jobId, status } of expired) {
          sweep.run({ jobId, now })
          if (status === 'failed') checkpoints.forgetStored(jobId)
        }
        return expired.map(({ jobId, userId }) => ({ jobId, userId }))
      })
    },
    /** Keeps the status `failed`. Deletes the checkpoint that expires first; returns its job, or null if none is left. */
    evictCheckpoint(now: number): OwnedJob | null {
      return db.durably(() => {
        const job = oldestCheckpoint.get({})
        if (job === null) return null
        sweep.run({ jobId: job.jobId, now })
        checkpoints.forgetStored(job.jobId)
        retention.end(job.jobId, now)
        return job
      })
    },
    /** any -> deleted, by its owner. Storage that the job has used still counts. False when there is no such job. */
    delete(userId: string, jobId: string, now: number): boolean {
      return db.durably(() => {
        const isDeleted = deleteOfUser.get({ jobId, userId }) !== null
        if (isDeleted) retention.end(jobId, now)
        return isDeleted
      })
    },
    /** completed, failed -> deleted: a batch of jobs that expired before a time and have no sources or entries left. */
    deleteWithoutDetails: (before: number): OwnedJob[] =>
      db.transaction(() => deleteWithoutDetails.all({ before })),
  }
}

/** Which run may write: one whose claim is still the latest of its job, until the finished archive is uploaded. */
export type RunKey = { readonly jobId: string; readonly claimNumber: number }
export const OF_RUN = `id = $jobId AND claim = $claimNumber AND status = 'processing' AND object_name IS NULL`

export function keyOf({ jobId, claimNumber }: Claim): RunKey {
  return { jobId, claimNumber }
}

type FailureColumns = { readonly code: string; readonly message: string }
const SET_FAILURE = 'failure_code = $code, failure_message = $message'

/** The first of these jobs, and as many more as one transaction may expire: it also deletes the entries of those that failed. */
function withinUrlLimit<T extends { readonly urlCount: number }>(expired: readonly T[]): T[] {
  let urls = 0
  return expired.filter(({ urlCount }, index) => {
    urls += urlCount
    return index === 0 || urls <= MAX_EXPIRED_URLS
  })
}
