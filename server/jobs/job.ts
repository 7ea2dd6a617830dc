import type { RunChanges } from '../db/snapshots.ts'
import type { EntryWarning } from '../engine/checkpoint/checkpoint.ts'
import type { JobFailure, Source } from '../engine/job-order.ts'
import { ServiceError } from '../errors.ts'
import type { JobLogins } from '../sites/job-login-store.ts'
import type { JobHeaders } from '../sites/site.ts'
import type { BaseUse, EntryChange, EntryStatus, JobStatus } from '../vocabulary.ts'

export type { RunChanges }

/**
 * A job as lists show it. Times are milliseconds since the epoch, null until known. Its life (specification, section 3):
 *
 * | from                | to         | when                                                                           |
 * | ------------------- | ---------- | ------------------------------------------------------------------------------ |
 * | -                   | pending    | it is created                                                                  |
 * | pending             | processing | the scheduler claims it                                                        |
 * | processing          | completed  | its archive is complete and has its final path, or is in the archive store     |
 * | processing          | failed     | a URL, a limit or the disk made it fail                                        |
 * | processing          | pending    | the service stopped or died, or the job was preempted; its checkpoint is kept  |
 * | pending, processing | failed     | its owner cancels it                                                           |
 * | failed              | pending    | its owner retries it                                                           |
 * | any                 | (deleted)  | its owner deletes it, or it expired long ago                                   |
 *
 * Each transition is one SQL statement with the old status in its WHERE, and all of them are in `transition-store.ts`. A job
 * whose archive is uploaded to the archive store is `processing`, but no longer runs. While a job is `failed` or `completed`,
 * nothing writes to its files.
 */
export interface Job extends ListedSettings {
  readonly id: string
  readonly userId: string
  readonly status: JobStatus
  readonly urlCount: number
  /** Entries in the archive so far while the job is processing; after that, in the archive or the checkpoint. */
  readonly fileCount: number
  readonly zipFilename: string
  readonly zipBytes: number
  /** How many of these entries were copied from the base. */
  readonly reusedCount: number
  /** How many of them have a warning. */
  readonly warningCount: number
  /** How much of it is done, from 0 to 0.99; null once the job has ended. */
  readonly doneFraction: number | null
  readonly failure: JobFailure | null
  readonly createdAt: number
  readonly completedAt: number | null
  /** `KEPT_BY_SCHEDULE` while a schedule keeps the archive. */
  readonly expiresAt: number | null
  /** What its share link names; the same for all archives that replace each other. */
  readonly linkId: string
  /**
   * Whether the share link opens this job. False until an archive that replaces another one is completed, and once it is replaced itself.
   */
  readonly holdsLink: boolean
  /** The schedule of which it is a run; null for any other job, and once the schedule is deleted. */
  readonly scheduleId: string | null
  /** What a completed run of a schedule has changed; null for any other job. */
  readonly changes: RunChanges | null
  /** The object in the archive store that contains the archive, or will; null when the archive is on the local disk. */
  readonly objectName: string | null
  /** So many bytes at the beginning of the archive are final, and may have been sent to clients. */
  readonly settledBytes: number
  /** How often such bytes were given up. */
  readonly edition: number
}

/**
 * A job with everything that its owner submitted, and with its errors in URL order. Sources and errors can be tens of
 * megabytes, so iterating over them reads them from the database. It throws when the job is deleted meanwhile.
 */
export interface JobDetail extends Job, KeptSettings, Omit<JobLogins, 'sealed'> {
  /** Sources and errors are empty when they are no longer kept. */
  readonly sources: Iterable<Source>
  readonly errors: Iterable<UrlError>
  readonly versions: Versions
}

/** The other archives behind the same share link. */
export interface Versions {
  /** The completed ones that were created before this job, newest first. */
  readonly earlier: readonly LinkVersion[]
  /** The job that the link opens instead of this one; null when it opens this one, or none. */
  readonly replacedBy: string | null
}

/** One of the archives behind a share link. */
export type LinkVersion = Pick<Job, 'id' | 'fileCount' | 'zipBytes' | 'completedAt' | 'expiresAt'>

/** What the owner of a job has submitted and gets back as it is, in lists, too. */
export interface ListedSettings {
  readonly failOnUrlError: boolean
  /** Whether a file that would get a warning counts as failed. */
  readonly failOnWarning: boolean
  /** Whether the archive has a list of its sources and of their checksums. */
  readonly hasManifest: boolean
}

/** The same, with a single job only. */
export interface KeptSettings {
  /** Whether it was submitted as `files` rather than `urls`. */
  readonly asFiles: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** Null when all sources are fetched. */
  readonly base: Base | null
}

/** The completed job whose archive another job copies entries from. */
export interface Base {
  readonly jobId: string
  readonly reuse: BaseUse
  /** Whether entries of the base are copied whose sources fail. */
  readonly keepsGone: boolean
}

export interface UrlError {
  readonly url: string
  readonly error: string
}

/** A validated request for a job, not yet checked against the limits of the plan. */
export interface NewJob extends ListedSettings, KeptSettings {
  readonly sources: readonly Source[]
  /** Without `.zip`; null gives `archive-<job id>`. */
  readonly zipBasename: string | null
  readonly expiresInSeconds: number | null
  /** What some origins get. */
  readonly headers: readonly JobHeaders[]
  /** Whether origins also get what sites say: the user's, and those that are shared. */
  readonly usesSites: boolean
  /** The job whose share link it takes over when its archive is complete; null for a link of its own. */
  readonly replaces: string | null
}

/** What a new job has unless its creator says otherwise (specification, section 4.4). */
export const DEFAULT_SETTINGS: Omit<NewJob, 'sources'> = {
  asFiles: false,
  zipBasename: null,
  expiresInSeconds: null,
  failOnUrlError: true,
  failOnWarning: false,
  hasManifest: false,
  metadata: {},
  headers: [],
  usesSites: true,
  replaces: null,
  base: null,
}

/** What a user changes of a job that exists. Null where it stays as it is. */
export interface JobEdit {
  /** Without `.zip`. */
  readonly zipBasename: string | null
  /** Counted from now, or from the end of a job that has not ended. */
  readonly expiresInSeconds: number | null
}

/** How many jobs are in each status. The `cancelled` ones have failed, too. */
export type JobCounts = Readonly<Record<JobStatus | 'cancelled', number>>

/** Which jobs a list shows: those of a status, or a part of the failed ones. */
export type JobFilter = JobStatus | 'cancelled' | 'failed otherwise'

/** How a failed job is to be retried. */
export interface RetryOptions {
  /** Whether to keep what earlier runs have fetched. If not, the job starts from scratch. */
  readonly fromCheckpoint: boolean
  /** Whether to continue without the failed URLs, as if `failOnUrlError` were false. */
  readonly skipFailed: boolean
  /** New URLs for failed ones. */
  readonly replace: readonly { readonly position: number; readonly url: string }[]
}

/** A job and its owner. */
export interface OwnedJob {
  readonly jobId: string
  readonly userId: string
}

/** The right of one run to write to its job. It ends when the job is claimed again. */
export interface Claim extends OwnedJob {
  /** 1 for the first claim of the job. */
  readonly claimNumber: number
  readonly createdAt: number
  readonly urlCount: number
  /** Consecutive earlier runs that crashed without changing the checkpoint. */
  readonly crashes: number
}

/** One URL of a job and its result so far. */
export interface Entry {
  readonly position: number
  readonly url: string
  readonly name: string | null
  readonly sizeBytes: number
  /** In lower-case hexadecimal digits; null until it is stored, and unless the job asked for it. */
  readonly sha256: string | null
  /** The size that the source declares, while it is being fetched; null when it declares none. */
  readonly expectedBytes: number | null
  readonly status: EntryStatus
  readonly error: string | null
  readonly warning: EntryWarning | null
  /** How it compares with the archive before; null unless the job is a completed run of a schedule. */
  readonly change: EntryChange | null
  /** When its source last confirmed it, if it was copied because the source fails. */
  readonly keptFrom: number | null
}

/**
 * The expiry of an archive that its schedule keeps: it goes when enough newer ones are complete, and not by the clock. The last
 * day that ISO 8601 writes with four digits.
 */
export const KEPT_BY_SCHEDULE = Date.UTC(9999, 11, 31)

/** What another job with the same settings gets. */
export function listedSettingsOf({ failOnUrlError, failOnWarning, hasManifest }: Job): ListedSettings {
  return { failOnUrlError, failOnWarning, hasManifest }
}

/** Whether the archive of a job can be downloaded now. */
export function isDownloadable(job: Job, now: number): boolean {
  return job.status === 'completed' && job.expiresAt !== null && now < job.expiresAt
}

/** Whether a job stays as it is unless its owner retries it. */
export function hasEnded(job: Pick<Job, 'status'>): boolean {
  return job.status === 'completed' || job.status === 'failed'
}

/** How many jobs a filter lets through; null lets all through. */
export function totalOf(counts: JobCounts, filter: JobFilter | null): number {
  const { pending, processing, completed, failed, cancelled } = counts
  if (filter === null) return pending + processing + completed + failed
  return filter === 'failed otherwise' ? failed - cancelled : counts[filter]
}

/** The failure of a job that its owner has cancelled. */
export const CANCELLED: JobFailure = {
  code: 'CANCELLED',
  message: 'The job was cancelled. A retry continues where it stopped.',
}

/** The name of a user's list of jobs, to which its cursors belong. */
export function listOfJobs(userId: string): string {
  return `jobs of ${userId}`
}

/** The same error for a job that does not exist and for a job of another user. */
export function jobNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such job.')
}
