import type { EntryChange, FailureCode, JobStatus } from '../vocabulary.ts'

// What columns of JSON say about jobs and schedules.

/** How many entries of a run differ from the archive before it, and how. */
export interface RunChanges extends Readonly<Record<EntryChange, number>> {
  /** The earliest time from which an entry was kept; null when none was. */
  readonly keptFrom: number | null
}

/** A schedule as the service has paused it. */
export interface PausedSchedule {
  readonly scheduleId: string
  readonly name: string
  /** As a sentence. */
  readonly reason: string
  readonly failedRuns: number
}

/** A job as it was when it ended. A later retry, expiry or deletion of the job does not change it. */
export interface JobSnapshot {
  readonly status: JobStatus
  readonly zipFilename: string
  readonly urlCount: number
  readonly fileCount: number
  readonly zipBytes: number
  readonly warningCount: number
  readonly errorCount: number
  /** The first errors, in URL order. */
  readonly errors: readonly { readonly url: string; readonly error: string }[]
  readonly failure: { readonly code: FailureCode; readonly message: string } | null
  readonly expiresAt: number | null
  readonly metadata: Readonly<Record<string, string>>
  /** Null unless the job is a run of a schedule. */
  readonly scheduleId: string | null
  /** Of a completed run. */
  readonly changes: RunChanges | null
}
