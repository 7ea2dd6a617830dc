import { accessSync, constants, statSync } from 'node:fs'
import { type ArchiveContent, localContent } from '../archive-store/archive-content.ts'
import type { ArchiveStore } from '../archive-store/archive-store.ts'
import type { DataDir } from '../data/data-dir.ts'
import { ServiceError } from '../errors.ts'
import { systemCode } from '../files/system-error.ts'
import { isDownloadable, type Job } from '../jobs/job.ts'
import type { JobQueries } from '../jobs/reading/query-store.ts'
import type { Log } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'
import { openStoredContents } from './stored-content.ts'

/** Finished archives. Files on the local disk are checked at each download. */
export interface FinishedArchives {
  /**
   * The bytes of an archive, with the time of their last change in milliseconds since the epoch.
   * @throws ServiceError `UNAVAILABLE` when the file is missing, unreadable or of another size than the archive
   */
  open(job: Job): { readonly content: ArchiveContent; readonly changedAt: number }
  /** A link by which the service reads an archive that is in the archive store; null when there is none there. */
  linkTo(jobId: string): Promise<string | null>
  /** How many archives that have not expired are known to be damaged. */
  countDamaged(): number
}

export function openFinishedArchives(
  dir: DataDir,
  archiveStore: ArchiveStore | null,
  store: JobQueries,
  clock: Clock,
  log: Log,
): FinishedArchives {
  /** Describes the damage, by job id. The log reports each damage once. */
  const damages = new Map<string, string>()
  const storedContent = openStoredContents(archiveStore, log)

  return {
    open(job) {
      if (job.objectName !== null) {
        return { content: storedContent(job.objectName), changedAt: job.completedAt ?? 0 }
      }
      const path = dir.archive(job.id)
      const { damage, changedAt } = inspect(path, job.zipBytes)
      if (damage === null) {
        if (damages.delete(job.id)) log.info('an archive is whole again', { job: job.id })
        return { content: localContent(path), changedAt }
      }
      if (damages.get(job.id) !== damage) log.error('an archive is damaged', { job: job.id, damage })
      damages.set(job.id, damage)
      throw new ServiceError(
        'UNAVAILABLE',
        'The file of this archive is damaged. Create the archive again, or ask the administrator to restore the file.',
      )
    },
    async linkTo(jobId) {
      const job = store.findForDownload(jobId)
      if (job === null || job.objectName === null || !isDownloadable(job, clock())) return null
      return (await archiveStore?.internalLink(job.objectName)) ?? null
    },
    countDamaged() {
      for (const jobId of damages.keys()) {
        const job = store.findForDownload(jobId)
        if (job === null || !isDownloadable(job, clock())) damages.delete(jobId)
      }
      return damages.size
    },
  }
}

function inspect(path: string, zipBytes: number): { damage: string | null; changedAt: number } {
  try {
    const file = statSync(path)
    accessSync(path, constants.R_OK)
    const isWhole = file.isFile() && file.size === zipBytes
    return { damage: isWhole ? null : `${file.size} bytes instead of ${zipBytes}`, changedAt: file.mtimeMs }
  } catch (error) {
    return { damage: `the file cannot be read (${systemCode(error)})`, changedAt: 0 }
  }
}
