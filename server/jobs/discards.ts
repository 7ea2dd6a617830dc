import { type ArchiveFileName, archiveFiles, discardArchive, discardLeft } from '../files/archive-dir.ts'
import type { DataDir } from '../files/data-dir.ts'
import { systemFault } from '../files/system-error.ts'
import type { Log } from '../log.ts'
import { logChanges } from '../log-changes.ts'
import type { Discard, DiscardStore } from './discard-store.ts'

/**
 * Deletes bytes that the database has let go of. What is to go was written down in the transaction that let go of it,
 * so that no crash leaves bytes that nobody deletes, and no start deletes bytes that nobody wanted to go.
 */
export interface Discards {
  /**
   * Deletes the files of a job now: its rows are gone already, or have forgotten them. What the disk refuses to delete is
   * left to `discardAll`: whoever wanted it gone has been heard.
   */
  discard(jobId: string): Promise<void>
  /**
   * Deletes what a crash, an error or a command beside the service left of what is written down, then strikes it out.
   * Never rejects: what does not work now is for the next time.
   */
  discardAll(): Promise<void>
}

/** @param halt ends the run of a job that is gone, so that it writes to no file any more */
export function openDiscards(
  store: DiscardStore,
  dir: DataDir,
  halt: (jobId: string) => Promise<void>,
  log: Log,
): Discards {
  const tries = logChanges(log, 'files of jobs that are gone could not be deleted')
  return {
    async discard(jobId) {
      try {
        await discardArchive(dir, jobId)
      } catch (error) {
        if (systemFault(error) === null) throw error
        log.warn('files of a job could not be deleted yet', { job: jobId, error })
      }
    },

    async discardAll() {
      try {
        let isAllGone = true
        for (let batch = store.pendingAfter(0); batch.length > 0; ) {
          isAllGone = (await discardBatch(batch)) && isAllGone
          batch = store.pendingAfter(batch.at(-1)?.id ?? Infinity)
        }
        if (isAllGone) tries.worked()
      } catch (error) {
        tries.failed(error)
      }
    },
  }

  /** False when some of it could not be deleted: that stays written down. */
  async function discardBatch(batch: readonly Discard[]): Promise<boolean> {
    const jobIds = new Set(batch.map(({ jobId }) => jobId))
    await Promise.all([...jobIds].filter((jobId) => !store.isWanted(jobId)).map(halt))
    const kept = new Set<string>()
    const discardFile = async (file: ArchiveFileName) => {
      try {
        await discardLeft(dir, file, store.isWanted(file.jobId))
      } catch (error) {
        tries.failed(error, { job: file.jobId })
        kept.add(file.jobId)
      }
    }
    await Promise.all(
      archiveFiles(dir)
        .filter(({ jobId }) => jobIds.has(jobId))
        .map(discardFile),
    )
    store.done(batch.filter(({ jobId }) => !kept.has(jobId)).map(({ id }) => id))
    return kept.size === 0
  }
}
