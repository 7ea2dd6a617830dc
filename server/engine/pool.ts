import { type ConnectionBounds, ConnectionPool } from '../fetching/connection-pool.ts'
import { closeLeftOpen } from '../files/left-open.ts'
import { systemCode } from '../files/system-error.ts'
import type { Log } from '../logging/log.ts'
import { unpausedTimeout } from '../time/unpaused-time.ts'
import { collectAfterList } from './collect-after-list.ts'
import { CompressionHelpers, type HelperConnection } from './compression-helpers.ts'
import { IdleThreads } from './idle-threads.ts'
import { type JobOrder, type JobOutcome, partPathOf } from './job-order.ts'
import { type JobRecorder, type JobRunner, WorkerCrashed } from './job-runner.ts'
import { openLeaseClient } from './lease-client.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import type { Thread } from './thread.ts'

export interface WorkerPoolOptions {
  /** Resolved by `main.ts`: in the executable, only the entry file can do that. */
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
  readonly #idleThreads: IdleThreads
  readonly #helpers: CompressionHelpers
  readonly #running = new Set<Thread>()
  #rebalancing: Timer | undefined
  #fetchedBytes = 0
  #readCharacters = 0

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#connections = new ConnectionPool(options.bounds)
    this.#idleThreads = new IdleThreads(options.workerUrl)
    this.#helpers = new CompressionHelpers(this.#idleThreads, () => this.#othersMayOpen())
  }

  /** Starts a thread for the first job, while this one continues. Await it before the service listens. */
  prepare(): Promise<void> {
    return this.#idleThreads.prepare()
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
    const thread = await this.#idleThreads.take(() => this.#othersMayOpen(), signal)
    if (thread === null) return { status: 'stopped' }
    this.#running.add(thread)
    this.#rebalancing ??= setInterval(() => this.#connections.rebalance(), REBALANCE_MS)
    this.#sendJobsRunning()
    try {
      const outcome = await this.#runOn(thread.worker, order, recorder, signal)
      this.#idleThreads.giveBack(thread)
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
    this.#helpers[Symbol.dispose]()
    this.#idleThreads[Symbol.dispose]()
    for (const { worker } of this.#running) worker.terminate()
  }

  /** How many descriptors the running jobs may open while this thread grants no further leases. */
  #othersMayOpen(): number {
    return this.#connections.open + this.#running.size * FILES_PER_JOB
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

  #runOn(worker: Worker, order: JobOrder, recorder: JobRecorder, signal: AbortSignal): Promise<JobOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>()
    const { log, heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS, stopTimeoutMs = STOP_TIMEOUT_MS } = this.#options
    const { jobId, group } = order
    const send = (message: ToWorker) => worker.postMessage(message)
    const leases = openLeaseClient(this.#connections, group, send)
    let helpers: Promise<HelperConnection> | undefined
    let missedTicks = 0
    let receivedBytes = 0
    let isOver = false
    const handle = (data: FromWorker): void => {
      switch (data.type) {
        case 'heartbeat':
          break
        case 'readSources':
          void this.#readSources(order, data).then(send, reject)
          break
        case 'connectHelpers':
          helpers = this.#helpers.connect(() => reject(new WorkerCrashed('a compression helper ended')))
          void helpers.then(({ ports }) => {
            if (!isOver) worker.postMessage({ type: 'helpers', ports } satisfies ToWorker, [...ports])
          })
          break
        case 'changeLeases':
          leases.apply(data.changes)
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
          log.warn('a host does not respond: its remaining URLs fail at once', {
            job: jobId,
            host: data.host,
            error: data.error,
          })
          break
        case 'end':
          collectAfterList(order.sources.length)
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
      isOver = true
      void helpers?.then((connection) => connection[Symbol.dispose]())
      clearInterval(heartbeatCheck)
      stopTimeout?.[Symbol.dispose]()
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onCrash)
      worker.removeEventListener('close', onCrash)
      signal.removeEventListener('abort', onStop)
      leases[Symbol.dispose]()
    })
  }
}

type SourceRead = Extract<FromWorker, { readonly type: 'readSources' }>
type Commit = Extract<FromWorker, { readonly type: 'commit' }>

/** If rows can't be written, for example because the disk is full, the job fails and keeps its checkpoint. */
async function committed({ commitId, batch }: Commit, recorder: JobRecorder): Promise<ToWorker> {
  try {
    await recorder.commit(batch)
    return { type: 'committed', commitId }
  } catch (error) {
    return { type: 'commitFailed', commitId, error: String(error), code: systemCode(error) }
  }
}

/** How often the pool checks whether connections must be revoked for users who wait. */
const REBALANCE_MS = 250

/** Garbage is collected after this many characters of URLs were read for the threads: Bun underestimates such garbage. */
const COLLECT_CHARACTERS = 8 * 1024 * 1024

/** What a running job opens at the same time beside its connections: the archive, its directory, its base, spool files. */
const FILES_PER_JOB = 5

/** A thread sends a heartbeat each second. Only a sync of a very slow disk delays it for long. */
const HEARTBEAT_TIMEOUT_MS = 60_000
const MISSED_TICKS = 10

/** A stopping job only commits its last batch. A stop of the service waits for it. */
const STOP_TIMEOUT_MS = 5000
