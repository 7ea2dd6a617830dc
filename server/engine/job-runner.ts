import type { LoginOutcome, SavedLogin } from '../fetching/headers/origin-headers.ts'
import type { CheckpointCommit } from './checkpoint/checkpoint.ts'
import type { JobOrder, JobOutcome, JobProgress } from './job-order.ts'

/**
 * Runs jobs. Implemented by `WorkerPool` for the service and by `openLocalRunner` for the command line. Called by the
 * scheduler and by `holdall zip`.
 */
export interface JobRunner {
  /**
   * Fetches and packs one job. Faults of sources are outcomes, not errors. Aborting the signal ends the run with `stopped`
   * and keeps its checkpoint.
   * @throws WorkerCrashed when the run ended without an outcome. Its thread has ended, too
   */
  run(order: JobOrder, recorder: JobRecorder, signal: AbortSignal): Promise<JobOutcome>
}

/**
 * Records what happens in one run of a job. Implemented by the caller of a `JobRunner`: the scheduler writes to the
 * database, `holdall zip` to a file. Called by the engine.
 */
export interface JobRecorder {
  /** Writes a batch of checkpoint changes. Called in the order of the batches. */
  commit(batch: CheckpointCommit): Promise<void>
  progress(progress: JobProgress): void
  /** Called when a saved login was used for the first time in a run, and when the first source accepts or refuses it. */
  loginAnswered?(login: SavedLogin, outcome: LoginOutcome): void
}

/** The thread of a job crashed or hung. The job can resume from its checkpoint. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed'
}
