import type { CheckpointChange } from './checkpoint.ts'
import type { JobOrder, JobOutcome, JobProgress } from './job-order.ts'

/** Runs jobs, wherever that is: in worker threads for the service, in this thread for the command line. */
export interface JobRunner {
  /**
   * Fetches and packs one job. What a source does never rejects it: that is an outcome. Aborting the signal ends
   * it with `stopped`, its checkpoint kept.
   * @throws WorkerCrashed when what ran the job could not say how it ended; nothing of it runs any more
   */
  run(order: JobOrder, hooks: JobHooks, signal: AbortSignal): Promise<JobOutcome>
}

/** What the service runs its jobs by. */
export interface ServiceRunner extends JobRunner, AsyncDisposable {
  /** Connections to sources that are leased at the moment. */
  readonly connectionsInUse: number
  /** Bytes received from sources since the start. */
  readonly fetchedBytes: number
}

export interface JobHooks {
  /**
   * Writes checkpoint changes, in the order of the calls. With `durable` they must survive a loss of power, else only
   * the death of the process.
   */
  commit(changes: readonly CheckpointChange[], durable: boolean): void | Promise<void>
  progress(progress: JobProgress): void
}

/** The thread of a job died or hung. The job can go on from its checkpoint. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed'
}
