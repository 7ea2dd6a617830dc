import { archiveFiles, discardArchive, discardLeft } from '../files/archive-dir.ts'
import type { DataDir } from '../files/data-dir.ts'
import { systemFault } from '../files/system-error.ts'
import type { Log } from '../log.ts'
import type { DiscardStore } from './discard-store.ts'

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
  /** Deletes what a crash, an error or a command beside the service left of what is written down, then strikes it out. */
  discardAll(): Promise<void>
}

/** @param halt ends the run of a job that is gone, so that it writes to no file any more */
export function openDiscards(
  store: DiscardStore,
  dir: DataDir,
  halt: (jobId: string) => Promise<void>,
  log: Log,
): Discards {
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
      for (let jobIds = store.pending(); jobIds.length > 0; jobIds = store.pending()) {
        const ids = jobIds.flatMap((jobId) => store.idsOf(jobId))
        await Promise.all(jobIds.filter((jobId) => !store.isWanted(jobId)).map(halt))
        const left = archiveFiles(dir).filter(({ jobId }) => jobIds.includes(jobId))
        await Promise.all(left.map((file) => discardLeft(dir, file, store.isWanted(file.jobId))))
        store.done(ids)
      }
    },
  }
}
