import type { FetchLimits } from '../fetching/attempts/fetch-limits.ts'
import type { Http1Client } from '../fetching/http1/client.ts'
import type { ProxySettings } from '../fetching/proxies/proxy.ts'
import type { ConnectHelpers } from './bodies/helpers.ts'
import type { OpenLeaseChannel } from './connections/lease.ts'
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
  readonly connectHelpers: ConnectHelpers
  readonly limits: FetchLimits
  readonly proxies: ProxySettings
  /** A clock in milliseconds that never jumps. The rates of hosts are measured by it. */
  nowMs(): number
  /** Keeps connections for the next job of the thread: ten small files take less time than ten connections. */
  readonly client: Http1Client
  /** How many jobs share the memory of this process now, this one included. */
  jobsRunning(): number
}
