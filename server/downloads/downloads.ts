import type { ArchiveContent } from '../archive-store/archive-content.ts'
import { ServiceError } from '../errors.ts'
import { isDownloadable, type Job } from '../jobs/job.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { Clock } from '../time/clock.ts'
import type { FinishedArchives } from './finished-archives.ts'
import type { SigningSecrets } from './signing-secrets.ts'
import { signToken, verifyToken } from './token.ts'

/** A finished archive, or one file out of it, ready to be sent. */
export interface Download {
  /** The bytes of the whole archive. */
  readonly content: ArchiveContent
  readonly filename: string
  readonly sizeBytes: number
  /** Strong: the bytes of an archive never change after its job is completed. A file that was restored later has a new tag. */
  readonly etag: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
  /** When its link expires. */
  readonly expiresAt: number
}

export type Downloads = ReturnType<typeof openDownloads>

export function openDownloads(
  store: JobStore,
  secrets: SigningSecrets,
  archives: FinishedArchives,
  clock: Clock,
) {
  /** The link to the archive of a job at an origin, which works until it expires; null when there is nothing to download. */
  function urlOf(job: Job, origin: string): string | null {
    if (!isDownloadable(job, clock()) || job.expiresAt === null) return null
    const token = signToken({ jobId: job.id, expiresAt: job.expiresAt }, secrets.signing)
    return `${origin}/download/${token}`
  }

  /** The job of a token. `EXPIRED_TOKEN` when it has expired or was deleted, `INVALID_TOKEN` for any other text. */
  function jobOf(token: string): Job {
    const grant = verifyToken(token, secrets.all)
    if (grant === null) {
      throw new ServiceError('INVALID_TOKEN', 'This download link is not valid. Copy it again from the job.')
    }
    const job = store.findForDownload(grant.jobId)
    if (job === null || (job.expiresAt !== null && clock() >= job.expiresAt)) throw expired()
    return job
  }

  return {
    urlOf,
    /** The same for the job with this id. Null also when there is no such job. */
    urlOfJobWithId(jobId: string, origin: string): string | null {
      const job = store.findForDownload(jobId)
      return job === null ? null : urlOf(job, origin)
    },
    jobOf,
    /** The finished archive that a token opens. `INVALID_TOKEN` or `EXPIRED_TOKEN`, as `jobOf`, or when it is not finished. */
    open(token: string): Download {
      const job = jobOf(token)
      if (job.status !== 'completed' || job.completedAt === null || job.expiresAt === null) {
        throw new ServiceError(
          'INVALID_TOKEN',
          'This archive is not finished, so there is nothing to download.',
        )
      }
      const { content, changedAt } = archives.open(job)
      const isOriginal = changedAt <= job.completedAt
      return {
        content,
        filename: job.zipFilename,
        sizeBytes: job.zipBytes,
        etag: isOriginal ? `"${job.id}"` : `"${job.id}-${Math.floor(changedAt).toString(36)}"`,
        changedAt: isOriginal ? job.completedAt : changedAt,
        expiresAt: job.expiresAt,
      }
    },
  }
}

function expired(): ServiceError {
  return new ServiceError('EXPIRED_TOKEN', 'This download link has expired: the archive is no longer kept.')
}
