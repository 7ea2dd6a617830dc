import type { Source } from '../engine/job-order.ts'
import { ServiceError } from '../errors.ts'
import type { RunChanges } from '../jobs/job.ts'
import type { JobLogins } from '../sites/job-login-store.ts'
import type { JobHeaders } from '../sites/site.ts'
import type { FileKind, GonePolicy, Interval, RunStatus, ScheduleStatus } from '../vocabulary.ts'

/**
 * A list that is packed again and again. Times are milliseconds since the epoch. Its life:
 *
 * | from   | to        | when                                                       |
 * | ------ | --------- | ---------------------------------------------------------- |
 * | -      | active    | it is created                                              |
 * | active | paused    | its owner pauses it, or five runs in a row have failed     |
 * | paused | active    | its owner resumes it                                       |
 * | any    | (deleted) | its owner deletes it; its archives become ordinary ones    |
 *
 * A run begins when `nextRunAt` has passed and no other run of the schedule is under way. So a run that could not begin at its time
 * begins once, as soon as it can, however many times have passed meanwhile.
 */
export interface Schedule extends ScheduleSettings, Pick<JobLogins, 'headerNames'> {
  readonly id: string
  readonly userId: string
  readonly status: ScheduleStatus
  /** As a sentence. Null unless the service has paused it. */
  readonly pausedReason: string | null
  readonly cron: string
  /** Null when none is due. */
  readonly nextRunAt: number | null
  /** Runs that failed since the last one that completed. */
  readonly failedRuns: number
  readonly asFiles: boolean
  /** URLs of its list; 0 if a page is the list. */
  readonly urlCount: number
  /** Null when the list was submitted. */
  readonly page: PageList | null
  readonly createdAt: number
}

/** What its owner decides, in addition to the list. */
export interface ScheduleSettings {
  readonly name: string
  /** Null for a cron expression. */
  readonly interval: Interval | null
  readonly timeZone: string
  /** How many archives are kept. */
  readonly keep: number
  /** Whether sources are asked if they have changed since the archive before. */
  readonly reuses: boolean
  readonly onGone: GonePolicy
  /** With `{name}`, `{date}` and `{time}`. */
  readonly zipName: string
  /** Whether a URL that fails, and that the archive before does not have, fails the run. */
  readonly failOnUrlError: boolean
  readonly failOnWarning: boolean
  readonly hasManifest: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly usesSites: boolean
}

/** A page whose links are the list, read anew by each run. */
export interface PageList {
  readonly url: string
  /** Null takes links of all kinds. */
  readonly kind: FileKind | null
  /** A pattern for their URLs, with `*` and `?`; null takes all. */
  readonly match: string | null
}

/** The URLs of a schedule as submitted, or the page that has them. */
export type ScheduleList =
  | { readonly sources: readonly Source[]; readonly asFiles: boolean; readonly page: null }
  | { readonly page: PageList }

/** A validated request for a schedule. */
export interface NewSchedule extends ScheduleSettings {
  /** Null for an interval, which begins now. */
  readonly cron: string | null
  readonly list: ScheduleList
  readonly headers: readonly JobHeaders[]
  /** The job of an archive that becomes the first one of the schedule; null when its first run makes that. */
  readonly firstJobId: string | null
}

/** What changes of a schedule. What is undefined stays. */
export interface ScheduleChanges extends Partial<Omit<NewSchedule, 'interval' | 'cron' | 'firstJobId'>> {
  readonly every?: Pick<NewSchedule, 'interval' | 'cron'>
  readonly status?: ScheduleStatus
}

/** One run: a job, or a reason why there was none. */
export interface ScheduleRun {
  readonly id: string
  /** Null if it was refused. */
  readonly jobId: string | null
  readonly createdAt: number
  readonly endedAt: number | null
  readonly status: RunStatus
  /** Of a failed run. The code is that of the job, or of the error that has refused the run. */
  readonly failure: { readonly code: string; readonly message: string } | null
  /** Of a completed run. */
  readonly changes: RunChanges | null
}

/** What a user sees of a schedule: with its newest run. */
export interface ScheduleState extends Schedule {
  readonly lastRun: ScheduleRun | null
}

/** After so many failed runs in a row, somebody should look at the list: the runs cost sources and disk for nothing. */
export const MAX_FAILED_RUNS = 5

/** Enough for a person's lists. Each may have megabytes of URLs. */
export const MAX_SCHEDULES = 100

export function scheduleNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such schedule.')
}

/** Runs of a schedule never overlap. */
export function underWay(): ServiceError {
  return new ServiceError('INVALID_REQUEST', 'A run of this schedule is under way. Wait for its end.')
}
