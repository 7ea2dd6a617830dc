import type { Verdict } from '../fetching/host-limits.ts'
import type { CheckpointChange } from './checkpoint.ts'
import type { JobOrder, JobOutcome, JobProgress } from './job-order.ts'

/** From the main thread to the worker that runs one job at a time. */
export type ToWorker =
  | { readonly type: 'run'; readonly order: JobOrder }
  /** So many jobs run now, that of this worker counted. */
  | { readonly type: 'running'; readonly jobs: number }
  /** Stop the job, keep its checkpoint, and answer with its end. */
  | { readonly type: 'stop' }
  /** A connection to this host may be opened. */
  | { readonly type: 'granted'; readonly host: string }
  /** One connection to this host goes to another user: its attempt is to end. */
  | { readonly type: 'revoked'; readonly host: string }
  | { readonly type: 'committed'; readonly commitId: number }
  /** The rows could not be written; `code` is what the system calls the reason, if it does. */
  | {
      readonly type: 'uncommitted'
      readonly commitId: number
      readonly error: string
      readonly code: string
    }

/** From the worker to the main thread. */
export type FromWorker =
  /** Said each second while a job runs: a thread that doesn't has hung. */
  | { readonly type: 'alive' }
  | { readonly type: 'requestLease'; readonly host: string }
  /** The connection to this host is free again; the verdict lets the host have more or fewer of them. */
  | { readonly type: 'releaseLease'; readonly host: string; readonly verdict: Verdict }
  | {
      readonly type: 'commit'
      readonly commitId: number
      readonly changes: readonly CheckpointChange[]
      readonly durable: boolean
    }
  | { readonly type: 'progress'; readonly progress: JobProgress }
  /** An error that is no source's but ours, for the log. */
  | { readonly type: 'report'; readonly error: string }
  /** A host of the job is not asked any more: for the log, too. */
  | { readonly type: 'hostGivenUp'; readonly host: string; readonly error: string }
  | { readonly type: 'end'; readonly outcome: JobOutcome }
