import type { FetchLimits } from '../fetching/fetch-limits.ts'
import type { CommitCheckpoint } from './checkpoint.ts'
import type { JobProgress } from './job-order.ts'
import type { OpenLeaseChannel } from './lease-queue.ts'

/** What a run of a job is given by whoever runs it. */
export interface JobPorts {
  readonly commit: CommitCheckpoint
  readonly tell: (progress: JobProgress) => void
  /** Told of errors that are no one's but ours. */
  readonly report: (error: unknown) => void
  /** Told of a host (`name:port`) that is not asked any more, and what its URLs fail with. */
  readonly hostGivenUp: (host: string, error: string) => void
  readonly openLeaseChannel: OpenLeaseChannel
  readonly limits: FetchLimits
  /** How many jobs share the memory of this process now, this one counted. */
  readonly jobsRunning: () => number
}
