import type { Database } from '../db/open.ts'
import type { CompletedArchive } from '../engine/job-order.ts'
import { openCheckpointStore } from './checkpoint-store.ts'
import { writeFileDeletion } from './file-deletion-store.ts'
import type { Claim } from './job.ts'
import { ENDED_JOB, type EndedJob, openJobEndStore, SET_EXPIRY } from './job-end-store.ts'
import { keyOf, OF_RUN, type RunKey } from './transition-store.ts'

/**
 * The transitions of jobs whose archives are uploaded to the archive store. Such a job has no run, is `processing`, and has the
 * name of its object.
 */
export type UploadTransitionStore = ReturnType<typeof openUploadTransitionStore>

/** A finished archive on the local disk that is to be uploaded. */
export interface PendingUpload {
  readonly jobId: string
  readonly userId: string
  readonly objectName: string
  readonly sizeBytes: number
}

export function openUploadTransitionStore(db: Database) {
  const checkpoints = openCheckpointStore(db)
  const { recordEnd, setFinalPlaces } = openJobEndStore(db)
  const beginUpload = db.prepare<PendingUpload, RunKey & ArchiveColumns & { objectName: string }>(
    `UPDATE jobs SET object_name = $objectName, file_count = $fileCount, zip_bytes = $zipBytes
     WHERE ${OF_RUN} RETURNING ${PENDING_UPLOAD}`,
  )
  const pending = db.prepare<PendingUpload, Record<string, never>>(
    `SELECT ${PENDING_UPLOAD} FROM jobs WHERE status = 'processing' AND object_name IS NOT NULL ORDER BY id`,
  )
  const complete = db.prepare<EndedJob, UploadKey & { now: number }>(
    `UPDATE jobs SET status = 'completed', completed_at = $now, ${SET_EXPIRY}
     WHERE ${OF_UPLOAD} RETURNING ${ENDED_JOB}`,
  )
  const release = db.prepare<{ id: string }, UploadKey>(
    `UPDATE jobs SET status = 'pending', object_name = NULL WHERE ${OF_UPLOAD} RETURNING id`,
  )

  return {
    /** Keeps the status `processing`, without a run from now on. Null when the job was deleted or claimed again meanwhile. */
    beginUpload(run: Claim, archive: CompletedArchive, objectName: string): PendingUpload | null {
      const { fileCount, zipBytes, changed } = archive
      return db.durably(() => {
        const upload = beginUpload.get({ ...keyOf(run), fileCount, zipBytes, objectName })
        if (upload !== null) setFinalPlaces(run.jobId, changed)
        return upload
      })
    },
    /** The uploads that earlier processes have not completed, the oldest jobs first. */
    pending: (): PendingUpload[] => pending.all({}),
    /**
     * processing -> completed: the store has the archive, and its file is to be deleted. False when the job was cancelled or
     * deleted meanwhile.
     */
    complete({ jobId, objectName }: PendingUpload, now: number): boolean {
      return db.durably(() => {
        const isCompleted = recordEnd(complete.get({ jobId, objectName, now }), 'completed', now)
        if (isCompleted) writeFileDeletion(db, jobId)
        return isCompleted
      })
    },
    /** processing -> pending: the next run finds the finished archive, and completes the job. */
    release({ jobId, objectName }: PendingUpload): void {
      db.durably(() => release.get({ jobId, objectName }))
    },
    /** processing -> pending, from scratch: the file of the finished archive is damaged or missing. */
    restart({ jobId, objectName }: PendingUpload): void {
      db.durably(() => {
        if (release.get({ jobId, objectName }) === null) return
        checkpoints.forgetStored(jobId)
        writeFileDeletion(db, jobId)
      })
    },
  }
}

const PENDING_UPLOAD = 'id AS jobId, user_id AS userId, object_name AS objectName, zip_bytes AS sizeBytes'

type UploadKey = Pick<PendingUpload, 'jobId' | 'objectName'>
const OF_UPLOAD = `id = $jobId AND object_name = $objectName AND status = 'processing'`

type ArchiveColumns = { readonly fileCount: number; readonly zipBytes: number }
