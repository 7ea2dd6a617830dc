import { openSourceClient } from '../../fetching/source-client.ts'
import type { ConnectionsEnvironment } from '../connections/open-connections.ts'
import { type ConnectionBounds, ConnectionPool } from '../connections/pool/connection-pool.ts'
import { ownChannel } from '../connections/pool/own-channel.ts'
import { openOwnGate } from '../connections/pool/own-rate.ts'
import type { JobEnvironment } from '../job-environment.ts'
import { type JobRunner, WorkerCrashed } from '../job-runner.ts'
import { runJob } from '../run-job.ts'
import { HelperThreads } from './helper-threads.ts'
import { IdleThreads } from './idle-threads.ts'

export interface LocalRunnerOptions
  extends Pick<JobEnvironment, 'internalError'>,
    Pick<ConnectionsEnvironment, 'fetching' | 'nowMs' | 'hostGivenUp' | 'proxyFailed'> {
  /** Resolved by `main.ts`: in the executable, only the entry file can do that. */
  readonly workerUrl: string | URL
  readonly bounds: ConnectionBounds
}

/**
 * Runs jobs in the thread of its caller, with a connection pool of its own: for the command line, which runs a single job. Only long texts
 * are compressed in other threads.
 */
export function openLocalRunner(options: LocalRunnerOptions): JobRunner {
  const { workerUrl, bounds, fetching, nowMs, internalError, hostGivenUp, proxyFailed } = options
  return {
    async run(order, recorder, signal) {
      using stack = new DisposableStack()
      const pool = stack.use(new ConnectionPool(bounds))
      const gate = openOwnGate(fetching.bytesPerSecond, stack)
      /** Ends the run when a helper has crashed: the texts that were sent to it are lost. */
      const crash = new AbortController()
      const http = stack.use(openSourceClient(fetching, gate))
      const environment: JobEnvironment = {
        connecting: {
          fetching,
          nowMs,
          hostGivenUp,
          proxyFailed,
          client: http,
          openLeaseChannel: ownChannel(pool, {
            group: order.group,
            thread: { allowed: (count) => http.allow(count) },
          }),
          connectionsPerHost: bounds.perHost,
          loginAnswered: (login, outcome) => recorder.loginAnswered?.(login, outcome),
        },
        internalError,
        async connectHelpers() {
          const idleThreads = stack.use(new IdleThreads(workerUrl))
          const helpers = stack.use(new HelperThreads(idleThreads, () => pool.open))
          const onCrash = () => crash.abort(new WorkerCrashed('a compression helper ended'))
          const connection = await helpers.connect(onCrash)
          return stack.disposed ? [] : stack.use(connection).ports
        },
        jobsRunning: () => 1,
        commit: (batch) => recorder.commit(batch),
        progress: (progress) => recorder.progress(progress),
      }
      const outcome = await runJob(order, environment, AbortSignal.any([signal, crash.signal]))
      if (outcome.status === 'stopped' && !signal.aborted) throw crash.signal.reason
      return outcome
    },
  }
}
