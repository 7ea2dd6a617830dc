import { type ConnectionBounds, type ConnectionClient, ConnectionPool } from '../fetching/connection-pool.ts'
import { closeLeftOpen } from '../files/left-open.ts'
import { systemCode } from '../files/system-error.ts'
import type { Log } from '../log.ts'
import { afterRunning } from '../running-time.ts'
import { type JobOrder, type JobOutcome, partPathOf } from './job-order.ts'
import { type JobHooks, type ServiceRunner, WorkerCrashed } from './job-runner.ts'
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
export class WorkerPool implements ServiceRunner {
  readonly #options: WorkerPoolOptions
  readonly #connections: ConnectionPool
  readonly #idle: Thread[] = []
  readonly #running = new Set<Thread>()
  #rebalancing: Timer | undefined
  #fetchedBytes = 0

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#connections = new ConnectionPool(options.bounds)
  }

  get connectionsInUse(): number {
    return this.#connections.open
  }

  get fetchedBytes(): number {
    return this.#fetchedBytes
  }

  async run(order: JobOrder, hooks: JobHooks, signal: AbortSignal): Promise<JobOutcome> {
    if (signal.aborted) return { status: 'stopped' }
    // Of the order, which may hold 40 MB of URLs, nothing stays in this thread while the other one works.
    const partPath = partPathOf(order)
    const thread = this.#idleThread() ?? startThread(this.#options.workerUrl)
    this.#running.add(thread)
    this.#rebalancing ??= setInterval(() => this.#connections.rebalance(), REBALANCE_MS)
    this.#tellRunning()
    try {
      const outcome = await this.#runOn(thread.worker, order, hooks, signal)
      if (this.#idle.length < MAX_IDLE_WORKERS) this.#idle.push(thread)
      else thread.worker.terminate()
      return outcome
    } catch (error) {
      // Not before it has closed may another thread write to the same archive.
      thread.worker.terminate()
      await thread.closed
      closeLeftOpen(partPath)
      throw error
    } finally {
      this.#running.delete(thread)
      if (this.#running.size === 0) this.#stopRebalancing()
      this.#tellRunning()
    }
  }

  /** Ends the threads. Jobs are to be stopped before: what still runs is lost back to its checkpoint. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { worker } of [...this.#idle, ...this.#running]) worker.terminate()
  }

  #stopRebalancing(): void {
    clearInterval(this.#rebalancing)
    this.#rebalancing = undefined
  }

  /** Memory is the service's: of many jobs at once, each uses less. */
  #tellRunning(): void {
    const message: ToWorker = { type: 'running', jobs: this.#running.size }
    for (const { worker } of this.#running) worker.postMessage(message)
  }

  #idleThread(): Thread | undefined {
    for (;;) {
      const thread = this.#idle.pop()
      // One that died between two jobs would swallow the order without a word.
      if (thread === undefined || !thread.isClosed) return thread
    }
  }

  #runOn(worker: Worker, order: JobOrder, hooks: JobHooks, signal: AbortSignal): Promise<JobOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>()
    const { log, silenceMs = SILENCE_MS } = this.#options
    const { jobId, group } = order
    const say = (message: ToWorker) => worker.postMessage(message)
    const client: ConnectionClient = {
      group,
      granted: (host) => say({ type: 'granted', host }),
      revoked: (host) => say({ type: 'revoked', host }),
    }
    let silentTicks = 0
    let receivedBytes = 0
    const obey = (data: FromWorker): void => {
      switch (data.type) {
        case 'alive':
          break
        case 'requestLease':
          this.#connections.request(client, data.host)
          break
        case 'releaseLease':
          this.#connections.release(client, data.host, data.verdict)
          break
        case 'commit':
          void committed(data, hooks).then(say)
          break
        case 'progress':
          this.#fetchedBytes += data.progress.receivedBytes - receivedBytes
          receivedBytes = data.progress.receivedBytes
          hooks.progress(data.progress)
          break
        case 'report':
          log.error('a job failed unexpectedly', { job: jobId, error: data.error })
          break
        case 'hostGivenUp':
          log.warn('a host answers nobody: the rest of its URLs fail at once', {
            job: jobId,
            host: data.host,
            error: data.error,
          })
          break
        case 'end':
          resolve(data.outcome)
          break
      }
    }
    const onMessage = ({ data }: MessageEvent<FromWorker>) => {
      silentTicks = 0
      try {
        obey(data)
      } catch (error) {
        // A fault in what a message asks for is the end of this run, not of the service.
        reject(error)
      }
    }
    const onCrash = (event: Event) => {
      reject(new WorkerCrashed(event instanceof ErrorEvent ? event.message : 'the thread ended'))
    }
    const hearing = setInterval(() => {
      // Ticks of this thread, not the time: while it was held up itself, it heard nobody.
      silentTicks += 1
      if (silentTicks > SILENT_TICKS) reject(new WorkerCrashed('the thread hung'))
    }, silenceMs / SILENT_TICKS)
    let stopping: Disposable | undefined
    const onStop = () => {
      say({ type: 'stop' })
      stopping = afterRunning(STOP_MS, () => reject(new WorkerCrashed('the thread did not stop')))
    }
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onCrash)
    // A crash closes the thread with code 0 and no further word.
    worker.addEventListener('close', onCrash)
    signal.addEventListener('abort', onStop, { once: true })
    say({ type: 'run', order })
    return promise.finally(() => {
      clearInterval(hearing)
      stopping?.[Symbol.dispose]()
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onCrash)
      worker.removeEventListener('close', onCrash)
      signal.removeEventListener('abort', onStop)
      this.#connections.leave(client)
    })
  }
}

type Commit = Extract<FromWorker, { readonly type: 'commit' }>

/** Rows that can't be written, on a full disk for one, are the job's failure, which keeps what it has. */
async function committed({ commitId, changes, durable }: Commit, hooks: JobHooks): Promise<ToWorker> {
  try {
    await hooks.commit(changes, durable)
    return { type: 'committed', commitId }
  } catch (error) {
    return { type: 'uncommitted', commitId, error: String(error), code: systemCode(error) }
  }
}

interface Thread {
  readonly worker: Worker
  isClosed: boolean
  /** Resolves when the thread has ended, by itself or terminated: it says so only once. */
  readonly closed: Promise<void>
}

function startThread(url: string | URL): Thread {
  const worker = new Worker(url)
  const { promise, resolve } = Promise.withResolvers<void>()
  const thread: Thread = { worker, isClosed: false, closed: promise }
  const onClose = () => {
    thread.isClosed = true
    resolve()
  }
  worker.addEventListener('close', onClose, { once: true })
  return thread
}

/** How long a user waits for connections to be released, before the pool revokes one of another user. */
const REBALANCE_MS = 250

/** A thread costs some ten megabytes; starting one costs some tens of milliseconds. */
const MAX_IDLE_WORKERS = 2

/** A thread says each second that it lives; only a sync of a very slow disk keeps it silent for long. */
const SILENCE_MS = 60_000
const SILENT_TICKS = 10

/** A stop makes the last batch durable, no more: whoever stops the service waits for it. */
const STOP_MS = 5000
