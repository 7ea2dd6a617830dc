import type { FetchSettings } from '../../fetching/fetch-settings.ts'
import { closeLeftOpen } from '../../files/left-open.ts'
import { systemCode } from '../../files/system-error.ts'
import type { Log } from '../../logging/log.ts'
import type { CheckpointCommit } from '../checkpoint/checkpoint.ts'
import { type ConnectionBounds, ConnectionPool } from '../connections/pool.ts'
import { type RateClient, RateShares } from '../connections/rate-shares.ts'
import { collectAfterList, ReadGarbage } from '../garbage.ts'
import type { InspectionOrder, InspectionOutcome, InspectionRecorder } from '../inspection/inspection.ts'
import { type LargePageReader, LargePageTurns } from '../inspection/large-pages.ts'
import { type JobOrder, type JobOutcome, type JobProgress, partPathOf } from '../job-order.ts'
import { type JobRecorder, type JobRunner, WorkerCrashed } from '../job-runner.ts'
import { type HelperConnection, HelperThreads } from './helper-threads.ts'
import { IdleThreads } from './idle-threads.ts'
import { openLeaseClient } from './lease-client.ts'
import type { FromRun, PostedInspection, ToRun, ToWorker } from './messages.ts'
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
 * Runs in the main thread. Runs each job in its own worker thread, so that packing never blocks the service. Idle threads are reused. Owns the
 * connection pool, which all jobs share. The caller limits how many jobs run at once.
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
    if (signal.aborted) return { status: 'stopped' }
    const partPath = partPathOf(order)
    const thread = await this.#idleThreads.take(() => this.#othersMayOpen(), signal)
    if (thread === null) return { status: 'stopped' }
    this.#running.add(thread)
    this.#countRunning()
    this.#rebalancing ??= setInterval(() => this.#connections.rebalance(), REBALANCE_MS)
    try {
      const outcome = await this.#runOn(thread, order, recorder, signal)
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
      this.#countRunning()
      this.#stopRebalancing()
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
    const thread = await this.#idleThreads.take(() => this.#othersMayOpen(), signal)
    if (thread === null) return { status: 'stopped' }
    this.#inspecting.add(thread)
    this.#rebalancing ??= setInterval(() => this.#connections.rebalance(), REBALANCE_MS)
    try {
      const outcome = await this.#inspectOn(thread, order, recorder, signal)
      this.#idleThreads.giveBack(thread)
      return outcome
    } catch (error) {
      thread.worker.terminate()
      throw error
    } finally {
      this.#inspecting.delete(thread)
      this.#stopRebalancing()
    }
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

  #runOn(thread: Thread, order: JobOrder, recorder: JobRecorder, signal: AbortSignal): Promise<JobOutcome> {
    const { worker } = thread
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>()
    const { log } = this.#options
    const { bounds, fetching } = this.#reach
    const { jobId, group } = order
    const runId = ++this.#lastRunId
    const send = (message: ToRun, transferred: MessagePort[] = []) =>
      worker.postMessage({ ...message, runId } satisfies ToWorker, transferred)
    const leases = openLeaseClient(this.#connections, { group, thread }, send)
    const reader: RateClient = { group, granted: (sizeBytes) => send({ type: 'rateGranted', sizeBytes }) }
    let helpers: Promise<HelperConnection> | undefined
    let isOver = false
    const handle = (message: FromRun): void => {
      switch (message.type) {
        case 'heartbeat':
          break
        case 'readSources':
          this.#reads.add(() => readSources(order, message, this.#readGarbage).then(send, reject))
          break
        case 'connectHelpers':
          helpers = this.#helpers.connect(() => reject(new WorkerCrashed('a compression helper ended')))
          void helpers.then(({ ports }) => {
            if (!isOver) send({ type: 'helpers', requestId: message.requestId, ports }, [...ports])
          })
          break
        case 'changeLeases':
          leases.apply(message.changes)
          break
        case 'requestRate':
          this.#rate.request(reader, message.owedBytes)
          break
        case 'commit':
          void committed(message, recorder).then(send)
          break
        case 'progress': {
          const progress: JobProgress = JSON.parse(message.progress)
          recorder.progress(progress)
          break
        }
        case 'loginAnswered':
          recorder.loginAnswered?.(message.login, message.outcome)
          break
        case 'internalError':
          log.error('a job failed unexpectedly', { job: jobId, error: message.error })
          break
        case 'hostGivenUp':
          log.warn('a host does not respond: its remaining URLs fail at once', {
            job: jobId,
            host: message.host,
            error: message.error,
          })
          break
        case 'proxyFailed':
          log.warn(`the ${message.proxy} ${message.problem}`, { job: jobId })
          break
        case 'end':
          collectAfterList(order.sources.length)
          resolve(message.outcome)
          break
      }
    }
    const { sources, ...posted } = order
    worker.postMessage({
      type: 'run',
      runId,
      order: { ...posted, sourceCount: sources.length },
      connectionsPerHost: bounds.perHost,
      fetching,
      jobsRunning: this.#jobsRunning,
    } satisfies ToWorker)
    const supervision = superviseRun({ runId, worker, signal, handle, fail: reject }, this.#options)
    return promise.finally(() => {
      isOver = true
      void helpers?.then((connection) => connection[Symbol.dispose]())
      supervision[Symbol.dispose]()
      leases[Symbol.dispose]()
      this.#rate.leave(reader)
    })
  }

  #inspectOn(
    thread: Thread,
    order: InspectionOrder,
    recorder: InspectionRecorder,
    signal: AbortSignal,
  ): Promise<InspectionOutcome> {
    const { worker } = thread
    const { promise, resolve, reject } = Promise.withResolvers<InspectionOutcome>()
    const runId = ++this.#lastRunId
    const { log } = this.#options
    const { bounds, fetching } = this.#reach
    const send = (message: ToRun) => worker.postMessage({ ...message, runId } satisfies ToWorker)
    const leases = openLeaseClient(this.#connections, { group: order.group, thread }, send)
    const reader: RateClient = {
      group: order.group,
      granted: (sizeBytes) => send({ type: 'rateGranted', sizeBytes }),
    }
    let turnId = 0
    const pageReader: LargePageReader = {
      group: order.group,
      granted: () => send({ type: 'largePageGranted', turnId }),
      revoked: () => send({ type: 'largePageRevoked', turnId }),
    }
    const handle = (message: FromRun): void => {
      if (message.type === 'changeLeases') leases.apply(message.changes)
      else if (message.type === 'requestRate') this.#rate.request(reader, message.owedBytes)
      else if (message.type === 'readSources' && order.kind === 'probe')
        this.#reads.add(() => readSources(order, message, this.#readGarbage).then(send, reject))
      else if (message.type === 'requestLargePage') {
        turnId = message.turnId
        this.#largePages.request(pageReader)
      } else if (message.type === 'releaseLargePage') this.#largePages.leave(pageReader)
      else if (message.type === 'found') recorder.found(message.json)
      else if (message.type === 'loginAnswered') recorder.loginAnswered(message.login, message.outcome)
      else if (message.type === 'proxyFailed') log.warn(`the ${message.proxy} ${message.problem}`)
      else if (message.type === 'inspectionEnd') resolve(message.outcome)
    }
    worker.postMessage({
      type: 'inspect',
      runId,
      order: JSON.stringify(posted(order)),
      connectionsPerHost: bounds.perHost,
      fetching,
    } satisfies ToWorker)
    const supervision = superviseRun({ runId, worker, signal, handle, fail: reject }, this.#options)
    return promise.finally(() => {
      supervision[Symbol.dispose]()
      leases[Symbol.dispose]()
      this.#rate.leave(reader)
      this.#largePages.leave(pageReader)
    })
  }
}

function posted(order: InspectionOrder): PostedInspection {
  if (order.kind === 'page') return order
  const { sources, ...rest } = order
  return { ...rest, sourceCount: sources.length }
}

type SourceRead = Extract<FromRun, { readonly type: 'readSources' }>
type Commit = Extract<FromRun, { readonly type: 'commit' }>

async function readSources(
  { sources }: Pick<JobOrder, 'sources'>,
  { requestId, first, end }: SourceRead,
  garbage: ReadGarbage,
): Promise<ToRun> {
  const text = JSON.stringify(await sources.slice(first, end))
  garbage.urlsRead(text.length)
  return { type: 'sources', requestId, sources: text }
}

/** If rows can't be written, for example because the disk is full, the job fails and keeps its checkpoint. */
async function committed({ requestId, batch }: Commit, recorder: JobRecorder): Promise<ToRun> {
  try {
    const changes: CheckpointCommit = JSON.parse(batch)
    await recorder.commit(changes)
    return { type: 'committed', requestId }
  } catch (error) {
    return { type: 'commitFailed', requestId, error: String(error), code: systemCode(error) }
  }
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
