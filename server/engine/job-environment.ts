import type { FetchSettings } from '../fetching/fetch-settings.ts'
import type { ConnectHelpers } from './bodies/compressor.ts'
import type { OpenLeaseChannel } from './connections/lease-queue.ts'
import type { OpenRateChannel } from './connections/rate-shares.ts'
import type { JobRecorder } from './job-runner.ts'

/**
 * What a running job needs from its process: the recorder of its caller, the limits, and the resources that it shares with
 * other jobs. Implemented by the worker thread, through messages, and by `openLocalRunner`. Called by `runJob` and its parts.
 */
export interface JobEnvironment extends JobRecorder {
  /** Called with an error of the program itself, not of a source. */
  internalError(error: unknown): void
  /** Called when a host (`name:port`) was given up, with the error that its remaining URLs fail with. */
  hostGivenUp(host: string, error: string): void
  /** Called when a proxy did this for the first time in the job: `cannot be reached`. */
  proxyFailed(proxy: string, problem: string): void
  readonly openLeaseChannel: OpenLeaseChannel
  /** The most connections that one host and port ever gets. */
  readonly connectionsPerHost: number
  /** Null when nothing limits how fast sources are read. */
  readonly openRateChannel: OpenRateChannel | null
  readonly connectHelpers: ConnectHelpers
  readonly fetching: FetchSettings
  /** How many jobs share the memory of this process now, this one included. */
  jobsRunning(): number
}
