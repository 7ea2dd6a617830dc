import type { ArchiveContent } from '../archive-store/archive-content.ts'
import type { DataDir } from '../data/data-dir.ts'
import { ServiceError } from '../errors.ts'
import { hasEnded, isDownloadable, type Job, type RunChanges } from '../jobs/job.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { JobQueries } from '../jobs/reading/query-store.ts'
import type { Clock } from '../time/clock.ts'
import { type EarlyDownload, openEarlyArchives } from './early-archives.ts'
import { etagOf } from './etag.ts'
import type { FinishedArchives } from './finished-archives.ts'
import { openSigningSecrets } from './signing-secrets.ts'
import { type Grant, signToken, verifyToken } from './token.ts'

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

/** The links that the maker of an archive gives out. Neither needs a key. */
export interface ArchiveLinks {
  /**
   * To the page for receivers; null when that page would have nothing to show, or shows an archive that replaces this one. The same
   * from the first to the last, and for all archives that replace each other.
   */
  readonly share: string | null
  /** To the archive itself, which works until it expires; null when there is nothing to download. */
  readonly download: string | null
  /** To the archive while it is packed. It goes on working until the archive expires. Null when the job has ended. */
  readonly earlyDownload: string | null
}

/** An archive among those that its schedule keeps. */
export interface ArchiveHistory {
  /** Compared with the archive before; null unless it is complete. */
  readonly changes: RunChanges | null
  /** The others, newest first. */
  readonly earlier: readonly Job[]
}

/** The archives that links open. Disposing of it breaks off the downloads of those that are not complete. They can go on later. */
export type Downloads = ReturnType<typeof openDownloads>

export function openDownloads(
  dir: DataDir,
  store: JobQueries,
  archives: FinishedArchives,
  live: Pick<LiveProgress, 'subscribe'>,
  clock: Clock,
) {
  const secrets = openSigningSecrets(dir.signingSecrets)
  const early = openEarlyArchives(dir, store, archives, live)

  /** The links of a job at an origin. */
  function linksOf(job: Job, origin: string): ArchiveLinks {
    const { id, linkId, holdsLink, expiresAt } = job
    const isReady = isDownloadable(job, clock())
    const lasting = signToken({ of: 'job', id, expiresAt: UNKNOWN_EXPIRY }, secrets.signing)
    const ofLink = signToken({ of: 'link', id: linkId, expiresAt: UNKNOWN_EXPIRY }, secrets.signing)
    return {
      share: !hasEnded(job) || (isReady && holdsLink) ? `${origin}/share/${ofLink}` : null,
      earlyDownload: hasEnded(job) ? null : `${origin}/download/${lasting}`,
      download:
        isReady && expiresAt !== null
          ? `${origin}/download/${signToken({ of: 'job', id, expiresAt }, secrets.signing)}`
          : null,
    }
  }

  const findBy: Readonly<Record<Grant['of'], (id: string, now: number) => Job | null>> = {
    job: store.findForDownload,
    link: store.findByLink,
    schedule: store.latestOfSchedule,
  }

  /** The job of a token. `EXPIRED_TOKEN` when it has expired or was deleted, `INVALID_TOKEN` for any other text. */
  function jobOf(token: string): Job {
    const grant = verifyToken(token, secrets.all)
    if (grant === null) {
      throw new ServiceError('INVALID_TOKEN', 'This download link is not valid. Copy it again from the job.')
    }
    const now = clock()
    const job = findBy[grant.of](grant.id, now)
    if (job === null || (job.expiresAt !== null && now >= job.expiresAt)) throw expired()
    return job
  }

  return {
    linksOf,
    /** The link to the page for receivers that always shows the newest complete archive of a schedule. */
    latestUrlOf(scheduleId: string, origin: string): string {
      const grant = { of: 'schedule', id: scheduleId, expiresAt: UNKNOWN_EXPIRY } as const
      return `${origin}/share/${signToken(grant, secrets.signing)}`
    },
    /** What a token of a schedule also shows, beside the archive that it opens; null for any other token. */
    historyOf(token: string, { id, changes }: Job): ArchiveHistory | null {
      const grant = verifyToken(token, secrets.all)
      if (grant?.of !== 'schedule') return null
      const earlier = store.archivesOfSchedule(grant.id, clock()).filter((job) => job.id !== id)
      return { changes, earlier }
    },
    /** The download link of the job with this id. Null also when there is no such job. */
    downloadUrlOf(jobId: string, origin: string): string | null {
      const job = store.findForDownload(jobId)
      return job === null ? null : linksOf(job, origin).download
    },
    /** The link to the page for receivers of the job with this id. Null also when there is no such job. */
    shareUrlOf(jobId: string, origin: string): string | null {
      const job = store.findForDownload(jobId)
      return job === null ? null : linksOf(job, origin).share
    },
    jobOf,
    /** The archive that a token opens, while its job is not finished; null when it has ended. */
    openEarly(token: string): EarlyDownload | null {
      const job = jobOf(token)
      return hasEnded(job) ? null : early.open(job)
    },
    /** Whether a token opens an archive whose job is not finished. False for any other text. */
    isEarly(token: string): boolean {
      const grant = verifyToken(token, secrets.all)
      const job = grant === null ? null : findBy[grant.of](grant.id, clock())
      return job !== null && !hasEnded(job)
    },
    early: {
      readersOf: early.readersOf,
      /** Call it when more bytes of an unfinished archive are settled, or fewer. */
      archiveGrew: early.changed,
    },
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
        etag: etagOf(job, isOriginal ? '' : Math.floor(changedAt).toString(36)),
        changedAt: isOriginal ? job.completedAt : changedAt,
        expiresAt: job.expiresAt,
      }
    },
    [Symbol.asyncDispose]: () => early[Symbol.asyncDispose](),
  }
}

function expired(): ServiceError {
  return new ServiceError('EXPIRED_TOKEN', 'This download link has expired: the archive is no longer kept.')
}

/** In tokens that are given out before the job has an expiry. They end with the job all the same. */
const UNKNOWN_EXPIRY = 0
