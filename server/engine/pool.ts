import { type ConnectionBounds, ConnectionPool } from '../fetching/connection-pool.ts'
import type { Log } from '../log.ts'
import type { JobOrder, JobOutcome } from './job-order.ts'
import type { JobHooks, JobRunner } from './job-runner.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export interface WorkerPoolOptions {
  /** Only the entry file of the executable can resolve it. */
  readonly workerUrl: string | URL
  readonly bounds: ConnectionBounds
  readonly log: Log
}

/**
 * Runs each job in a worker thread of its own, so that packing never holds up the service. Threads are kept for
 * the next job. It owns the connections, which all jobs share. How many jobs run at once, its caller decides.
 */
export class WorkerPool implements JobRunner, AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #connections: ConnectionPool
  readonly #idle: Worker[] = []
  readonly #running = new Set<Worker>()

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#connections = new ConnectionPool(options.bounds)
  }

  async run(order: JobOrder, hooks: JobHooks, signal: AbortSignal): Promise<JobOutcome> {
    if (signal.aborted) return { status: 'stopped' }
    const worker = this.#idle.pop() ?? new Worker(this.#options.workerUrl)
    this.#running.add(worker)
    const outcome = await this.#runOn(worker, order, hooks, signal)
    this.#running.delete(worker)
    if (outcome === null) {
      worker.terminate()
      return { status: 'failed', failure: CRASHED }
    }
    if (this.#idle.length < MAX_IDLE_WORKERS) this.#idle.push(worker)
    else worker.terminate()
    return outcome
  }

  /** Ends the threads. Jobs are to be stopped before: what still runs is lost back to its checkpoint. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of [...this.#idle, ...this.#running]) worker.terminate()
  }

  /** @returns null when the thread died before it could say how the job ended */
  #runOn(worker: Worker, order: JobOrder, hooks: JobHooks, signal: AbortSignal): Promise<JobOutcome | null> {
    const { promise, resolve } = Promise.withResolvers<JobOutcome | null>()
    const say = (message: ToWorker) => worker.postMessage(message)
    const client = { granted: (host: string) => say({ type: 'leased', host }) }
    const onMessage = ({ data }: MessageEvent<FromWorker>) => {
      switch (data.type) {
        case 'lease':
          return this.#connections.request(client, data.host)
        case 'release':
          return this.#connections.release(client, data.host, data.verdict)
        case 'commit':
          hooks.commit(data.changes, data.durable)
          return say({ type: 'committed', commitId: data.commitId })
        case 'progress':
          return hooks.progress(data.progress)
        case 'report':
          return this.#options.log.error('A job failed unexpectedly', {
            jobId: order.jobId,
            error: data.error,
          })
        case 'end':
          return resolve(data.outcome)
      }
    }
    const onCrash = (event: Event) => {
      const error = event instanceof ErrorEvent ? event.message : 'the thread ended'
      this.#options.log.error('A worker died', { jobId: order.jobId, error })
      resolve(null)
    }
    const onStop = () => say({ type: 'stop' })
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onCrash)
    // A crash closes the thread with code 0 and no further word.
    worker.addEventListener('close', onCrash)
    signal.addEventListener('abort', onStop, { once: true })
    say({ type: 'run', order })
    return promise.finally(() => {
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onCrash)
      worker.removeEventListener('close', onCrash)
      signal.removeEventListener('abort', onStop)
      this.#connections.leave(client)
    })
  }
}

/** A thread costs some ten megabytes; starting one costs some tens of milliseconds. */
const MAX_IDLE_WORKERS = 2

const CRASHED = {
  code: 'INTERNAL_ERROR',
  message: 'The job broke off unexpectedly. Retry it to go on where it is.',
} as const
