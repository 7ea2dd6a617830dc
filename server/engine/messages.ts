import type { CheckpointChange } from './checkpoint.ts'
import type { JobOrder, JobOutcome, JobProgress } from './job-order.ts'

/** From the main thread to the worker that runs one job at a time. */
export type ToWorker =
  | { readonly type: 'run'; readonly order: JobOrder }
  /** Stop the job, keep its checkpoint, and answer with its end. */
  | { readonly type: 'stop' }
  /** A connection to this host may be opened. */
  | { readonly type: 'leased'; readonly host: string }
  | { readonly type: 'committed'; readonly commitId: number }

/** From the worker to the main thread. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'lease'; readonly host: string }
  /** The connection to this host is free again; the verdict lets the host have more or fewer of them. */
  | { readonly type: 'release'; readonly host: string; readonly verdict: LeaseVerdict }
  /** The worker wanted a lease and no longer does. */
  | { readonly type: 'forgo'; readonly host: string }
  | {
      readonly type: 'commit'
      readonly commitId: number
      readonly changes: readonly CheckpointChange[]
      readonly durable: boolean
    }
  | { readonly type: 'progress'; readonly progress: JobProgress }
  | { readonly type: 'end'; readonly outcome: JobOutcome }

/** How a host behaved on a connection: well, under strain (429, 503, a reset), or nothing to say. */
export type LeaseVerdict = 'well' | 'strained' | 'neutral'
