import { type ConnectionBounds, ConnectionPool } from '../fetching/connection-pool.ts'
import type { FetchLimits } from '../fetching/fetch-limits.ts'
import type { CommitCheckpoint } from './checkpoint.ts'
import type { JobRunner } from './job-runner.ts'
import type { OpenLeaseChannel } from './lease-queue.ts'
import { runJob } from './run-job.ts'

export interface LocalRunnerOptions {
  readonly bounds: ConnectionBounds
  readonly limits: FetchLimits
  /** Told of errors that are no source's but ours. */
  readonly report: (error: unknown) => void
  readonly hostGivenUp: (host: string, error: string) => void
}

/** Runs jobs in this thread, with connections of their own: for the command line, where there is one job. */
export function openLocalRunner({ bounds, limits, report, hostGivenUp }: LocalRunnerOptions): JobRunner {
  const connections = new ConnectionPool(bounds)
  return {
    run(order, hooks, signal) {
      const openLeaseChannel: OpenLeaseChannel = (listener) => {
        const client = { ...listener, group: order.group }
        return {
          request: (host) => connections.request(client, host),
          release: (host, verdict) => connections.release(client, host, verdict),
        }
      }
      const commit: CommitCheckpoint = async (changes, durable) => hooks.commit(changes, durable)
      return runJob(
        order,
        { limits, report, hostGivenUp, commit, tell: hooks.progress, openLeaseChannel, jobsRunning: () => 1 },
        signal,
      )
    },
  }
}
