import type { FetchSettings } from '../../fetching/fetch-settings.ts'
import { closeLeftOpen } from '../../files/left-open.ts'
import { ReadGarbage } from '../../garbage.ts'
import type { Log } from '../../logging/log.ts'
import { type ConnectionBounds, ConnectionPool } from '../connections/pool/connection-pool.ts'
import { type RateClient, RateShares } from '../connections/pool/rate-shares.ts'
import type { InspectionOrder, InspectionOutcome, InspectionRecorder } from '../inspection/inspection.ts'
import { LargePageTurns } from '../inspection/large-pages.ts'
import { type JobOrder, type JobOutcome, partPathOf, type Sources } from '../job-order.ts'
import type { JobRecorder, JobRunner } from '../job-runner.ts'
import { HelperThreads } from './helper-threads.ts'
import { IdleThreads } from './idle-threads.ts'
import { type BeginRun, beginInspection, beginJob } from './kinds-of-runs.ts'
import { openLeaseClient } from './lease-client.ts'
import type { FromRun, ToRun, ToWorker } from './messages.ts'
import { ReadTurns } from './read-turns.ts'
import { type SupervisionTimeouts, superviseRun } from './supervise.ts'
import type { Thread } from './thread.ts'

export interface WorkerPoolOptions extends SupervisionTimeouts {
  /** Resolved by `main.ts`: in the executable, only the entry file can do that. */
  readonly workerUrl: string | URL
  readonly reach: Reach
  readonly log: Log
}

/** How sources are reached, and by how many connections at once. */
export interface Reach {
  readonly bounds: ConnectionBounds
  readonly fetching: FetchSettings
}

/**
 * Runs in the main thread. Runs each job in its own worker thread, so that packing never blocks the service. Idle threads are
 * reused. Owns the connection pool, which all jobs share. The caller limits how many jobs run at once.
 */
export class WorkerPool implements JobRunner, AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #connections: ConnectionPool
  readonly #rate: RateShares
  readonly #idleThreads: IdleThreads
  readonly #helpers: HelperThreads
  readonly #running = new Set<Thread>()
  readonly #inspecting = new Set<Thread>()
  readonly #jobsRunning = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #readGarbage = new ReadGarbage()
  readonly #reads = new ReadTurns()
  readonly #largePages = new LargePageTurns()
  #reach: Reach
  #rebalancing: Timer | undefined
  #lastRunId = 0

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#reach = options.reach
    this.#connections = new ConnectionPool(options.reach.bounds)
    this.#rate = new RateShares(rateOf(options.reach))
    this.#idleThreads = new IdleThreads(options.workerUrl)
    this.#helpers = new HelperThreads(this.#idleThreads, () => this.#othersMayOpen())
  }

  /** Starts a thread for the first job, if clients could prevent that later. Await it before the service listens. */
  prepare(): Promise<void> {
    return this.#idleThreads.prepare()
  }

  /**
   * From now on, sources are reached in another way. Runs that began before keep theirs, but connections and rate are shared by the
   * new limits at once, unless there was no limit to the rate: such a run asks for none.
   */
  changeReach(reach: Reach): void {
    this.#reach = reach
    this.#connections.changeBounds(reach.bounds)
    this.#rate.changeRate(rateOf(reach))
  }

  /** Connections to sources that are leased now. */
  get connectionsInUse(): number {
    return this.#connections.open
  }

  async run(order: JobOrder, recorder: JobRecorder, signal: AbortSignal): Promise<JobOutcome> {
    const partPath = partPathOf(order)
    const needed = { log: this.#options.log, helpers: this.#helpers, jobsRunning: this.#jobsRunning }
    const begin: BeginRun<JobOutcome> = (ends) => beginJob(order, recorder, needed, ends)
    try {
      return await this.#runInThread(this.#running, order.group, begin, signal)
    } catch (error) {
      closeLeftOpen(partPath)
      throw error
    }
  }

  /**
   * Runs an inspection in a thread of its own. It gets connections as a job does: the user's jobs and inspections are one group.
   */
  async inspect(
    order: InspectionOrder,
    recorder: InspectionRecorder,
    signal: AbortSignal,
  ): Promise<InspectionOutcome> {
    const needed = { log: this.#options.log, largePages: this.#largePages }
    const begin: BeginRun<InspectionOutcome> = (ends) => beginInspection(order, recorder, needed, ends)
    return await this.#runInThread(this.#inspecting, order.group, begin, signal)
  }

  /** Ends all threads. Stop the jobs first: a job that still runs loses what it did after its last checkpoint. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#helpers[Symbol.dispose]()
    this.#idleThreads[Symbol.dispose]()
    this.#connections[Symbol.dispose]()
    this.#rate[Symbol.dispose]()
    this.#largePages[Symbol.dispose]()
    for (const { worker } of [...this.#running, ...this.#inspecting]) worker.terminate()
  }

  /** How many descriptors the running jobs may open while this thread grants no further leases. */
  #othersMayOpen(): number {
    return this.#connections.open + this.#running.size * FILES_PER_JOB
  }

  /** Unless connections are still needed. */
  #stopRebalancing(): void {
    if (this.#running.size + this.#inspecting.size > 0) return
    clearInterval(this.#rebalancing)
    this.#rebalancing = undefined
  }

  /** All jobs share the memory of the process, so each one reads how many there are. */
  #countRunning(): void {
    Atomics.store(this.#jobsRunning, 0, this.#running.size)
  }

  /**
   * Takes a thread for a run, and keeps it for further ones when the run has ended. A thread whose run fails is ended before this
   * rejects: no other one may write to the same archive before.
   * @param threads those of its kind
   */
  async #runInThread<Outcome>(
    threads: Set<Thread>,
    group: string,
    begin: BeginRun<Outcome>,
    signal: AbortSignal,
  ): Promise<Outcome | { readonly status: 'stopped' }> {
    const thread = await this.#idleThreads.take(() => this.#othersMayOpen(), signal)
    if (thread === null) return { status: 'stopped' }
    threads.add(thread)
    this.#countRunning()
    this.#rebalancing ??= setInterval(() => this.#connections.rebalance(), REBALANCE_MS)
    try {
      const outcome = await this.#runOn(thread, group, begin, signal)
      this.#idleThreads.giveBack(thread)
      return outcome
    } catch (error) {
      thread.worker.terminate()
      await thread.closed
      throw error
    } finally {
      threads.delete(thread)
      this.#countRunning()
      this.#stopRebalancing()
    }
  }

  /** Gives the thread its order, and answers its messages until the run has ended. */
  #runOn<Outcome>(
    thread: Thread,
    group: string,
    begin: BeginRun<Outcome>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { worker } = thread
    const runId = ++this.#lastRunId
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const send = (message: ToRun, transferred: MessagePort[] = []) =>
      worker.postMessage({ ...message, runId } satisfies ToWorker, transferred)
    const leases = openLeaseClient(this.#connections, { group, thread }, send)
    const reader: RateClient = { group, granted: (sizeBytes) => send({ type: 'rateGranted', sizeBytes }) }
    const { order, sources, handleOwn, leave } = begin({ send, resolve, reject })
    const handle = (message: FromRun): void => {
      if (message.type === 'changeLeases') leases.apply(message.changes)
      else if (message.type === 'requestRate') this.#rate.request(reader, message.owedBytes)
      else if (message.type === 'readSources')
        this.#reads.add(() => readSources(sources, message, this.#readGarbage).then(send, reject))
      else handleOwn(message)
    }
    const { bounds, fetching } = this.#reach
    const reach = { connectionsPerHost: bounds.perHost, fetching }
    worker.postMessage({ ...order, ...reach, runId } satisfies ToWorker)
    const supervision = superviseRun({ runId, worker, signal, handle, fail: reject }, this.#options)
    return promise.finally(() => {
      leave()
      supervision[Symbol.dispose]()
      leases[Symbol.dispose]()
      this.#rate.leave(reader)
    })
  }
}

type SourceRead = Extract<FromRun, { readonly type: 'readSources' }>

async function readSources(
  sources: Sources,
  { requestId, first, end }: SourceRead,
  garbage: ReadGarbage,
): Promise<ToRun> {
  const text = JSON.stringify(await sources.slice(first, end))
  garbage.urlsRead(text.length)
  return { type: 'sources', requestId, sources: text }
}

/** Only runs that began with a limit ask for their share: without one, they get whatever they ask for. */
function rateOf({ fetching }: Reach): number {
  return fetching.bytesPerSecond ?? UNLIMITED_BYTES_PER_SECOND
}

/** More than any network brings. */
const UNLIMITED_BYTES_PER_SECOND = 1e12

/** How often the pool checks whether connections must be revoked for users who wait. */
const REBALANCE_MS = 250

/** What a running job opens at the same time beside its connections: the archive, its directory, its base, spool files. */
const FILES_PER_JOB = 5
