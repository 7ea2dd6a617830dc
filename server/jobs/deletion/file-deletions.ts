import { deleteLeftover, discardArchive, type JobFile, listJobFiles } from '../../data/archive-dir.ts'
import type { DataDir } from '../../data/data-dir.ts'
import { systemFault } from '../../files/system-error.ts'
import { openFailureLog } from '../../logging/failure-log.ts'
import type { Log } from '../../logging/log.ts'
import type { FileDeletion, FileDeletionStore } from './deletion-store.ts'

/**
 * Deletes the files of jobs that have expired, were deleted, or start from scratch. The same transaction that expires, deletes
 * or restarts the job writes a row that requests the deletion. So no crash leaves files behind, and no start deletes files
 * that are still needed.
 */
export interface FileDeletions {
  /** Deletes the files of a job, and asks for the deletion of its object in the archive store. */
  deleteFiles: DeleteFiles
  /**
   * Deletes the files that a crash, an error or a command of another process has left, and then the rows that request this.
   * Never rejects: the next call tries again.
   */
  deletePending(): Promise<void>
}

/**
 * Deletes the files of a job now, after the transaction. If the disk refuses, the files are left to `deletePending`, and the caller's
 * request still succeeds.
 */
export type DeleteFiles = (jobId: string) => Promise<void>

export function openFileDeletion(dir: DataDir, log: Log): DeleteFiles {
  return async (jobId) => {
    try {
      await discardArchive(dir, jobId)
    } catch (error) {
      if (systemFault(error) === null) throw error
      log.warn('files of a job could not be deleted yet', { job: jobId, error })
    }
  }
}

export interface FileDeletionsOptions {
  readonly store: FileDeletionStore
  readonly dir: DataDir
  readonly deleteFiles: DeleteFiles
  /** Stops the run of a deleted job, so that it stops writing to its files. */
  halt(jobId: string): Promise<void>
  /** Called when files of a job are deleted: its object in the archive store may have to go, too. */
  onDeletion(): void
  readonly log: Log
}

export function openFileDeletions(options: FileDeletionsOptions): FileDeletions {
  const { store, dir, halt, log } = options
  const tries = openFailureLog(log, 'files of deleted jobs could not be deleted')
  return {
    async deleteFiles(jobId) {
      options.onDeletion()
      await options.deleteFiles(jobId)
    },

    async deletePending() {
      try {
        let areAllDeleted = true
        for (let batch = store.pendingAfter(0); batch.length > 0; ) {
          areAllDeleted = (await deleteBatch(batch)) && areAllDeleted
          batch = store.pendingAfter(batch.at(-1)?.id ?? Infinity)
        }
        if (areAllDeleted) tries.noteSuccess()
      } catch (error) {
        tries.noteError(error)
      }
    },
  }

  /** False when some files could not be deleted: their rows stay. */
  async function deleteBatch(batch: readonly FileDeletion[]): Promise<boolean> {
    const jobIds = new Set(batch.map(({ jobId }) => jobId))
    await Promise.all([...jobIds].filter((jobId) => !store.needsFiles(jobId)).map(halt))
    const failedIds = new Set<string>()
    const deleteFile = async (file: JobFile) => {
      try {
        await deleteLeftover(dir, file, store.needsFiles(file.jobId))
      } catch (error) {
        tries.noteError(error, { job: file.jobId })
        failedIds.add(file.jobId)
      }
    }
    await Promise.all(
      listJobFiles(dir)
        .filter(({ jobId }) => jobIds.has(jobId))
        .map(deleteFile),
    )
    store.remove(batch.filter(({ jobId }) => !failedIds.has(jobId)).map(({ id }) => id))
    return failedIds.size === 0
  }
}
