import type { JobFailure, Source } from '../engine/job-order.ts'

/**
 * The life of a job (specification, section 3):
 *
 * | from       | to         | when |
 * |------------|------------|------|
 * | -          | pending    | it is created |
 * | pending    | processing | the scheduler claims it |
 * | processing | completed  | its archive is whole and at its place |
 * | processing | failed     | a URL, a limit or the disk ended it |
 * | processing | pending    | the service stopped or died, or another user waits; it goes on from its checkpoint |
 * | pending, processing | failed | its owner cancelled it |
 * | failed     | pending    | its owner retries it |
 *
 * Each is one SQL statement with the old status in its WHERE, all in `transition-store.ts`. A job is `failed` or
 * `completed` only when nothing writes to its files any more.
 */
export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed'

export const JOB_STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
] as const satisfies readonly JobStatus[]

/** What the owner of a job ended it with. */
export const CANCELLED: JobFailure = {
  code: 'CANCELLED',
  message: 'The job was cancelled. A retry goes on from where it stopped.',
}

/** A job as lists show it. Times are milliseconds since the epoch, null until known. */
export interface Job {
  readonly id: string
  readonly userId: string
  readonly status: JobStatus
  readonly urlCount: number
  /** Entries in the archive: live while the job is processing, then what the archive or the checkpoint holds. */
  readonly fileCount: number
  readonly zipFilename: string
  readonly zipBytes: number
  readonly failOnUrlError: boolean
  readonly failure: JobFailure | null
  readonly createdAt: number
  readonly completedAt: number | null
  readonly expiresAt: number | null
}

/**
 * A job with all that its owner submitted and what went wrong with it, in URL order. Sources and errors can be tens of
 * megabytes: they are read from the database as they are iterated over, which throws when the job goes meanwhile.
 */
export interface JobDetail extends Job {
  /** Empty, as `errors` are, when they are no longer kept. */
  readonly sources: Iterable<Source>
  /** Whether it was submitted as `files` rather than `urls`. */
  readonly asFiles: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly errors: Iterable<UrlError>
}

export interface UrlError {
  readonly url: string
  readonly error: string
}

/** What becomes a job: validated, with the plan's limits not yet applied. */
export interface NewJob {
  readonly sources: readonly Source[]
  readonly asFiles: boolean
  /** Without `.zip`; null gives `archive-<job id>`. */
  readonly zipBasename: string | null
  readonly expiresInSeconds: number | null
  readonly failOnUrlError: boolean
  readonly metadata: Readonly<Record<string, string>>
}

/** How a failed job is to be retried. */
export interface RetryOptions {
  /** False forgets what was fetched before. */
  readonly fromCheckpoint: boolean
  /** Continue without the URLs that failed, as if the job tolerated them. */
  readonly skipFailed: boolean
  /** New URLs for failed ones. */
  readonly replace: readonly { readonly position: number; readonly url: string }[]
}

/** The right of one run to write to its job. It ends when the job is claimed again. */
export interface Claim {
  readonly jobId: string
  readonly userId: string
  /** 1 for the first claim of the job. */
  readonly claimNumber: number
  readonly createdAt: number
  /** Runs in a row before this one that crashed before they changed the checkpoint. */
  readonly crashes: number
}

export type EntryStatus = 'waiting' | 'fetching' | 'stored' | 'failed'

export const ENTRY_STATUSES = [
  'waiting',
  'fetching',
  'stored',
  'failed',
] as const satisfies readonly EntryStatus[]

/** What has become of one URL of a job. */
export interface Entry {
  readonly position: number
  readonly url: string
  readonly name: string | null
  readonly sizeBytes: number
  readonly status: EntryStatus
  readonly error: string | null
}

/** Whether a job's archive can be downloaded at this moment. */
export function isDownloadable(job: Job, now: number): boolean {
  return job.status === 'completed' && job.expiresAt !== null && now < job.expiresAt
}
