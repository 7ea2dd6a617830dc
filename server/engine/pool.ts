import { type ConnectionBounds, type ConnectionClient, ConnectionPool } from '../fetching/connection-pool.ts'
import { closeLeftOpen } from '../files/left-open.ts'
import { systemCode } from '../files/system-error.ts'
import type { Log } from '../logging/log.ts'
import { unpausedTimeout } from '../time/unpaused-time.ts'
import { type JobOrder, type JobOutcome, partPathOf } from './job-order.ts'
import { type JobRecorder, type JobRunner, WorkerCrashed } from './job-runner.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export interface WorkerPoolOptions {
  /** Only the entry file of the executable can resolve it. */
  readonly workerUrl: string | URL
  readonly bounds: ConnectionBounds
  readonly log: Log
  /** A thread that sends no message for this long counts as hung. */
  readonly heartbeatTimeoutMs?: number
  /** A thread whose job has not stopped after this long counts as hung. */
  readonly stopTimeoutMs?: number
}

/**
 * Runs each job in its own worker thread, so that packing never blocks the service. Idle threads are reused. Owns the
 * connection pool, which all jobs share. The caller limits how many jobs run at once.
 */
export class WorkerPool implements JobRunner, AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #connections: ConnectionPool
  readonly #idle: Thread[] = []
  readonly #running = new Set<Thread>()
  #rebalancing: Timer | undefined
  #fetchedBytes = 0
  #readCharacters = 0

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#connections = new ConnectionPool(options.bounds)
  }

  /** Connections to sources that are leased now. */
  get connectionsInUse(): number {
    return this.#connections.open
  }

  /** Bytes received from sources since the start. */
  get fetchedBytes(): number {
    return this.#fetchedBytes
  }

  async run(order: JobOrder, recorder: JobRecorder, signal: AbortSignal): Promise<JobOutcome> {
    if (signal.aborted) return { status: 'stopped' }
    const partPath = partPathOf(order)
    const thread = this.#idleThread() ?? startThread(this.#options.workerUrl)
    this.#running.add(thread)
    this.#rebalancing ??= setInterval(() => this.#connections.rebalance(), REBALANCE_MS)
    this.#sendJobsRunning()
    try {
      const outcome = await this.#runOn(thread.worker, order, recorder, signal)
      if (this.#idle.length < MAX_IDLE_WORKERS) this.#idle.push(thread)
      else thread.worker.terminate()
      return outcome
    } catch (error) {
      // No other thread may write to the same archive before this one has ended.
      thread.worker.terminate()
      await thread.closed
      closeLeftOpen(partPath)
      throw error
    } finally {
      this.#running.delete(thread)
      if (this.#running.size === 0) this.#stopRebalancing()
      this.#sendJobsRunning()
    }
  }

  /** Ends all threads. Stop the jobs first: a job that still runs loses what it did after its last checkpoint. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { worker } of [...this.#idle, ...this.#running]) worker.terminate()
  }

  #stopRebalancing(): void {
    clearInterval(this.#rebalancing)
    this.#rebalancing = undefined
  }

  /** All jobs share the memory of the process, so each one needs to know how many there are. */
  #sendJobsRunning(): void {
    const message: ToWorker = { type: 'jobsRunning', count: this.#running.size }
    for (const { worker } of this.#running) worker.postMessage(message)
  }

  async #readSources({ sources }: JobOrder, { first, end }: SourceRead): Promise<ToWorker> {
    const read = await sources.slice(first, end)
    for (const { url } of read) this.#readCharacters += url.length
    if (this.#readCharacters >= COLLECT_CHARACTERS) {
      this.#readCharacters = 0
      setTimeout(() => Bun.gc(true), 0)
    }
    return { type: 'sources', sources: read }
  }

  #idleThread(): Thread | undefined {
    for (;;) {
      const thread = this.#idle.pop()
      // A thread that crashed between two jobs would ignore the order.
      if (thread === undefined || !thread.isClosed) return thread
    }
  }

  #runOn(worker: Worker, order: JobOrder, recorder: JobRecorder, signal: AbortSignal): Promise<JobOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>()
    const { log, heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS, stopTimeoutMs = STOP_TIMEOUT_MS } = this.#options
    const { jobId, group } = order
    const send = (message: ToWorker) => worker.postMessage(message)
    const client: ConnectionClient = {
      group,
      granted: (host) => send({ type: 'leaseGranted', host }),
      revoked: (host) => send({ type: 'leaseRevoked', host }),
    }
    let missedTicks = 0
    let receivedBytes = 0
    const handle = (data: FromWorker): void => {
      switch (data.type) {
        case 'heartbeat':
          break
        case 'readSources':
          void this.#readSources(order, data).then(send, reject)
          break
        case 'requestLease':
          this.#connections.request(client, data.host)
          break
        case 'releaseLease':
          this.#connections.release(client, data.host, data.verdict)
          break
        case 'commit':
          void committed(data, recorder).then(send)
          break
        case 'progress':
          this.#fetchedBytes += data.progress.receivedBytes - receivedBytes
          receivedBytes = data.progress.receivedBytes
          recorder.progress(data.progress)
          break
        case 'internalError':
          log.error('a job failed unexpectedly', { job: jobId, error: data.error })
          break
        case 'hostGivenUp':
          log.warn('a host does not answer: the rest of its URLs fail at once', {
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
      missedTicks = 0
      try {
        handle(data)
      } catch (error) {
        // An error while handling a message ends this run, not the service.
        reject(error)
      }
    }
    const onCrash = (event: Event) => {
      reject(new WorkerCrashed(event instanceof ErrorEvent ? event.message : 'the thread ended'))
    }
    const heartbeatCheck = setInterval(() => {
      // Counts ticks of this thread instead of time: while this thread was blocked, it received no messages.
      missedTicks += 1
      if (missedTicks > MISSED_TICKS) reject(new WorkerCrashed('the thread hung'))
    }, heartbeatTimeoutMs / MISSED_TICKS)
    let stopTimeout: Disposable | undefined
    const onStop = () => {
      send({ type: 'stop' })
      stopTimeout = unpausedTimeout(stopTimeoutMs, () => reject(new WorkerCrashed('the thread did not stop')))
    }
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onCrash)
    // A crash may close the thread with code 0 and no other event.
    worker.addEventListener('close', onCrash)
    signal.addEventListener('abort', onStop, { once: true })
    const { sources, ...posted } = order
    send({ type: 'run', order: { ...posted, sourceCount: sources.length } })
    return promise.finally(() => {
      clearInterval(heartbeatCheck)
      stopTimeout?.[Symbol.dispose]()
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onCrash)
      worker.removeEventListener('close', onCrash)
      signal.removeEventListener('abort', onStop)
      this.#connections.leave(client)
    })
  }
}

type SourceRead = Extract<FromWorker, { readonly type: 'readSources' }>
type Commit = Extract<FromWorker, { readonly type: 'commit' }>

/** Rows that can't be written, for example because the disk is full, fail the job, which keeps its checkpoint. */
async function committed({ commitId, batch }: Commit, recorder: JobRecorder): Promise<ToWorker> {
  try {
    await recorder.commit(batch)
    return { type: 'committed', commitId }
  } catch (error) {
    return { type: 'commitFailed', commitId, error: String(error), code: systemCode(error) }
  }
}

interface Thread {
  readonly worker: Worker
  isClosed: boolean
  /** Resolves when the thread has ended, by itself or terminated. The event fires only once. */
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

/** Of URLs that were read for the threads. Bun's collector underestimates such garbage, so it is called by the length. */
const COLLECT_CHARACTERS = 8 * 1024 * 1024

/** An idle thread takes about 10 MB; starting one takes tens of milliseconds. */
const MAX_IDLE_WORKERS = 2

/** A thread sends a heartbeat each second. Only a sync of a very slow disk delays it for long. */
const HEARTBEAT_TIMEOUT_MS = 60_000
const MISSED_TICKS = 10

/** A stopping job only commits its last batch. A stop of the service waits for it. */
const STOP_TIMEOUT_MS = 5000
