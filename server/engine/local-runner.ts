import { type ConnectionBounds, ConnectionPool } from '../fetching/connection-pool.ts'
import type { JobEnvironment } from './job-environment.ts'
import type { JobRunner } from './job-runner.ts'
import type { OpenLeaseChannel } from './lease-queue.ts'
import { runJob } from './run-job.ts'

export interface LocalRunnerOptions extends Pick<JobEnvironment, 'limits' | 'internalError' | 'hostGivenUp'> {
  readonly bounds: ConnectionBounds
}

/** Runs jobs in this thread, with a connection pool of its own: for the command line, which runs a single job. */
export function openLocalRunner({ bounds, ...options }: LocalRunnerOptions): JobRunner {
  const connections = new ConnectionPool(bounds)
  return {
    run(order, recorder, signal) {
      const openLeaseChannel: OpenLeaseChannel = (listener) => {
        const client = { ...listener, group: order.group }
        return {
          request: (host) => connections.request(client, host),
          release: (host, verdict) => connections.release(client, host, verdict),
        }
      }
      const environment: JobEnvironment = {
        ...options,
        openLeaseChannel,
        jobsRunning: () => 1,
        commit: (batch) => recorder.commit(batch),
        progress: (progress) => recorder.progress(progress),
      }
      return runJob(order, environment, signal)
    },
  }
}
