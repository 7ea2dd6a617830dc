import { statSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import type { DataDir } from '../files/data-dir.ts'
import { isDownloadable, type Job } from '../jobs/job.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { SigningSecrets } from './signing-secrets.ts'
import { signToken, verifyToken } from './token.ts'

/** A finished archive, ready to be sent. */
export interface Archive {
  readonly path: string
  readonly filename: string
  readonly sizeBytes: number
  /** Strong: an archive's bytes never change once its job is completed. */
  readonly etag: string
  readonly completedAt: number
}

export type Downloads = ReturnType<typeof openDownloads>

export function openDownloads(store: JobStore, secrets: SigningSecrets, dir: DataDir, clock: Clock) {
  return {
    /** The token that opens the job's archive until it expires, or null when there is none to download. */
    tokenFor(job: Job): string | null {
      if (!isDownloadable(job, clock()) || job.expiresAt === null) return null
      return signToken({ jobId: job.id, expiresAt: job.expiresAt }, secrets.signing)
    },
    /** The archive that a token opens. `EXPIRED_TOKEN` when its time is over or the archive is gone, else `INVALID_TOKEN`. */
    open(token: string): Archive {
      const grant = verifyToken(token, secrets.all)
      if (grant === null) {
        throw new ServiceError(
          'INVALID_TOKEN',
          'This download link is not valid. Copy it again from the job.',
        )
      }
      const job = clock() < grant.expiresAt ? store.findForDownload(grant.jobId) : null
      if (job === null || job.completedAt === null || !isDownloadable(job, clock())) throw expired()
      const path = dir.archive(job.id)
      const file = statSync(path, { throwIfNoEntry: false })
      if (file === undefined) throw expired()
      return {
        path,
        filename: job.zipFilename,
        sizeBytes: file.size,
        etag: `"${job.id}"`,
        completedAt: job.completedAt,
      }
    },
  }
}

function expired(): ServiceError {
  return new ServiceError('EXPIRED_TOKEN', 'This download link has expired: the archive is no longer kept.')
}
