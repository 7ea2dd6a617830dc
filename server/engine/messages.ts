import type { Verdict } from '../fetching/host-limits.ts'
import type { CheckpointCommit } from './checkpoint.ts'
import type { JobOrder, JobOutcome, JobProgress, Source } from './job-order.ts'

/** A job order as it is posted: the thread asks for the sources when it needs them. */
export interface PostedOrder extends Omit<JobOrder, 'sources'> {
  readonly sourceCount: number
}

/** From the main thread to a worker, which runs one job at a time. */
export type ToWorker =
  | { readonly type: 'run'; readonly order: PostedOrder }
  /** The sources that were asked for, in the order of the requests. */
  | { readonly type: 'sources'; readonly sources: readonly Source[] }
  /** The number of jobs that are running now, the job of this worker included. */
  | { readonly type: 'jobsRunning'; readonly count: number }
  /** Stop the job, keep its checkpoint, and answer with `end`. */
  | { readonly type: 'stop' }
  /** A connection to this host may be opened. */
  | { readonly type: 'leaseGranted'; readonly host: string }
  /** One connection to this host is needed for another user: abort its attempt and release it. */
  | { readonly type: 'leaseRevoked'; readonly host: string }
  | { readonly type: 'committed'; readonly commitId: number }
  /** The rows could not be written; `code` is the system's code of the error, or empty. */
  | {
      readonly type: 'commitFailed'
      readonly commitId: number
      readonly error: string
      readonly code: string
    }

/** From a worker to the main thread. */
export type FromWorker =
  /** Sent each second while a job runs: a thread that stops sending it has hung. */
  | { readonly type: 'heartbeat' }
  /** Asks for the sources from position `first` to before `end`. */
  | { readonly type: 'readSources'; readonly first: number; readonly end: number }
  | { readonly type: 'requestLease'; readonly host: string }
  /** The connection to this host is closed or reusable; the verdict adjusts the connection limit of the host. */
  | { readonly type: 'releaseLease'; readonly host: string; readonly verdict: Verdict }
  | { readonly type: 'commit'; readonly commitId: number; readonly batch: CheckpointCommit }
  | { readonly type: 'progress'; readonly progress: JobProgress }
  /** An error of the program itself, not of a source, for the log. */
  | { readonly type: 'internalError'; readonly error: string }
  /** A host was given up for this job, for the log. */
  | { readonly type: 'hostGivenUp'; readonly host: string; readonly error: string }
  | { readonly type: 'end'; readonly outcome: JobOutcome }
