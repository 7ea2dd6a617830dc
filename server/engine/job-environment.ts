import type { ConnectHelpers } from './bodies/helpers.ts'
import type { ConnectionsEnvironment } from './connections/open-connections.ts'
import type { JobRecorder } from './job-runner.ts'

/**
 * What a running job needs from its process: the recorder of its caller, what opens its connections, and the resources
 * that it shares with other jobs. Implemented by the worker thread, through messages, and by `openLocalRunner`. Called by `runJob` and its
 * parts.
 */
export interface JobEnvironment extends Pick<JobRecorder, 'commit' | 'progress'> {
  readonly connecting: ConnectionsEnvironment
  /** Called with an error of the program itself, not of a source. */
  internalError(error: unknown): void
  readonly connectHelpers: ConnectHelpers
  /** How many jobs share the memory of this process now, this one included. */
  jobsRunning(): number
}
