import { type ConnectionBounds, ConnectionPool } from '../fetching/connection-pool.ts'
import type { Log } from '../log.ts'
import type { JobOrder, JobOutcome } from './job-order.ts'
import { type JobHooks, type JobRunner, WorkerCrashed } from './job-runner.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export interface WorkerPoolOptions {
  /** Only the entry file of the executable can resolve it. */
  readonly workerUrl: string | URL
  readonly bounds: ConnectionBounds
  readonly log: Log
  /** How long a thread may say nothing before it counts as hung. */
  readonly silenceMs?: number
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
    try {
      const outcome = await this.#runOn(worker, order, hooks, signal)
      if (this.#idle.length < MAX_IDLE_WORKERS) this.#idle.push(worker)
      else worker.terminate()
      return outcome
    } catch (error) {
      // Not before it has closed may another thread write to the same archive.
      await terminated(worker)
      throw error
    } finally {
      this.#running.delete(worker)
    }
  }

  /** Ends the threads. Jobs are to be stopped before: what still runs is lost back to its checkpoint. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of [...this.#idle, ...this.#running]) worker.terminate()
  }

  #runOn(worker: Worker, order: JobOrder, hooks: JobHooks, signal: AbortSignal): Promise<JobOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>()
    const { log, silenceMs = SILENCE_MS } = this.#options
    const say = (message: ToWorker) => worker.postMessage(message)
    const client = { granted: (host: string) => say({ type: 'leased', host }) }
    let heardAtMs = performance.now()
    const obey = (data: FromWorker): void => {
      switch (data.type) {
        case 'alive':
          break
        case 'lease':
          this.#connections.request(client, data.host)
          break
        case 'release':
          this.#connections.release(client, data.host, data.verdict)
          break
        case 'commit':
          hooks.commit(data.changes, data.durable)
          say({ type: 'committed', commitId: data.commitId })
          break
        case 'progress':
          hooks.progress(data.progress)
          break
        case 'report':
          log.error('a job failed unexpectedly', { job: order.jobId, error: data.error })
          break
        case 'end':
          resolve(data.outcome)
          break
      }
    }
    const onMessage = ({ data }: MessageEvent<FromWorker>) => {
      heardAtMs = performance.now()
      try {
        obey(data)
      } catch (error) {
        // A checkpoint that can't be written is the end of this run, not of the service.
        reject(error)
      }
    }
    const onCrash = (event: Event) => {
      reject(new WorkerCrashed(event instanceof ErrorEvent ? event.message : 'the thread ended'))
    }
    const hearing = setInterval(() => {
      if (performance.now() - heardAtMs > silenceMs) reject(new WorkerCrashed('the thread hung'))
    }, silenceMs / 4)
    const onStop = () => say({ type: 'stop' })
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onCrash)
    // A crash closes the thread with code 0 and no further word.
    worker.addEventListener('close', onCrash)
    signal.addEventListener('abort', onStop, { once: true })
    say({ type: 'run', order })
    return promise.finally(() => {
      clearInterval(hearing)
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onCrash)
      worker.removeEventListener('close', onCrash)
      signal.removeEventListener('abort', onStop)
      this.#connections.leave(client)
    })
  }
}

/** Ends a thread, whatever it does, and waits until it has. */
async function terminated(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  worker.addEventListener('close', () => resolve(), { once: true })
  worker.terminate()
  // One that crashed may have closed already, and says so only once.
  const timer = setTimeout(resolve, CLOSE_MS)
  await promise
  clearTimeout(timer)
}

/** A thread costs some ten megabytes; starting one costs some tens of milliseconds. */
const MAX_IDLE_WORKERS = 2

/** A thread says each second that it lives; only a sync of a very slow disk keeps it silent for long. */
const SILENCE_MS = 60_000

/** Ending a thread takes some milliseconds, even in a busy loop. */
const CLOSE_MS = 1000
