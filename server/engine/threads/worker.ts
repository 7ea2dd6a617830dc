import type { FetchSettings } from '../../fetching/fetch-settings.ts'
import { type Http1Client, ReadGate } from '../../fetching/http1/client.ts'
import { openSourceClient } from '../../fetching/source-client.ts'
import { helpAtPort } from '../bodies/help-at-port.ts'
import type { Grant, LeaseChannel, LeaseListener } from '../connections/lease.ts'
import { collectAfterInspection, collectAfterList, collectWithin } from '../garbage.ts'
import type { InspectionEnvironment } from '../inspection/context.ts'
import type { InspectionOrder } from '../inspection/inspection.ts'
import { runInspection } from '../inspection/run-inspection.ts'
import type { JobEnvironment } from '../job-environment.ts'
import type { JobOrder, Sources, SourceToPack } from '../job-order.ts'
import { Requests } from '../requests.ts'
import { runJob } from '../run-job.ts'
import { LargePageMessages } from './large-page-messages.ts'
import type { FromRun, FromWorker, LeaseChange, PostedInspection, ToRun, ToWorker } from './messages.ts'

/**
 * The worker thread. Runs one job or one inspection at a time, or compresses texts and hashes bodies for the jobs of other threads. Everything that jobs share is in the
 * main thread and reached by messages.
 */
declare const self: Worker

/** Opened for the first run, and again for a run with other settings: its connections may lead to a proxy that is no longer used. */
let opened: SourceClient | null = null
/** How many connections may be open in this thread. */
let allowedConnections = Number.POSITIVE_INFINITY

/** The last run that was ordered. It may have ended. */
let lastRun: ThreadRun | null = null

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'reportStart':
      Atomics.store(data.started, 0, 1)
      Atomics.notify(data.started, 0)
      break
    case 'compress':
      helpAtPort(data.port)
      break
    case 'run':
      lastRun = startRun(data)
      break
    case 'inspect':
      lastRun = startInspection(data)
      break
    case 'connectionsAllowed':
      allowedConnections = data.count
      opened?.client.allow(data.count)
      break
    default:
      // A message of an earlier run was on its way when that run ended.
      if (data.runId === lastRun?.runId) lastRun.receive(data)
  }
}

interface ThreadRun {
  readonly runId: number
  receive(message: ToRun): void
}

type RunOrder = Extract<ToWorker, { readonly type: 'run' }>

function startRun({ runId, order, connectionsPerHost, fetching, jobsRunning }: RunOrder): ThreadRun {
  const stop = new AbortController()
  const post = (message: FromRun) => self.postMessage({ ...message, runId } satisfies FromWorker)
  const reads = new Requests<readonly SourceToPack[]>()
  const helpers = new Requests<readonly MessagePort[]>()
  const commits = new Requests<void>()
  const leases = new LeaseMessages(post)
  const { client, gate } = clientFor(fetching)
  gate?.connect((owedBytes) => post({ type: 'requestRate', owedBytes }))

  const environment: JobEnvironment = {
    limits: fetching.limits,
    proxies: fetching.proxies,
    nowMs: () => performance.now(),
    client,
    openLeaseChannel: (listener) => leases.open(listener),
    connectionsPerHost,
    connectHelpers: () => helpers.send((requestId) => post({ type: 'connectHelpers', requestId })),
    jobsRunning: () => Atomics.load(jobsRunning, 0),
    progress: (progress) => post({ type: 'progress', progress: JSON.stringify(progress) }),
    internalError(error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      post({ type: 'internalError', error: text })
    },
    hostGivenUp: (host, error) => post({ type: 'hostGivenUp', host, error }),
    proxyFailed: (proxy, problem) => post({ type: 'proxyFailed', proxy, problem }),
    loginAnswered: (login, outcome) => post({ type: 'loginAnswered', login, outcome }),
    commit: (batch) =>
      commits.send((requestId) => post({ type: 'commit', requestId, batch: JSON.stringify(batch) })),
  }

  const { sourceCount, ...posted } = order
  void run({ ...posted, sources: sourcesRead(sourceCount, reads, post) }, environment, stop.signal, post)
  return {
    runId,
    receive(message) {
      switch (message.type) {
        case 'stop':
          stop.abort(new Error('the job was stopped'))
          break
        case 'sources':
          reads.take(message.requestId)?.resolve(JSON.parse(message.sources))
          break
        case 'helpers':
          helpers.take(message.requestId)?.resolve(message.ports)
          break
        case 'committed':
          commits.take(message.requestId)?.resolve()
          break
        case 'commitFailed': {
          const { error, code } = message
          commits.take(message.requestId)?.reject(Object.assign(new Error(error), { code }))
          break
        }
        case 'leasesGranted':
          leases.granted(message.grants)
          break
        case 'leaseRevoked':
          leases.revoked(message.grant)
          break
        case 'rateGranted':
          gate?.granted(message.sizeBytes)
          break
      }
    },
  }
}

interface SourceClient {
  /** The settings that it was opened for. */
  readonly settings: string
  readonly client: Http1Client
  /** Null when nothing limits how fast sources are read. */
  readonly gate: ReadGate | null
}

function clientFor(fetching: FetchSettings): SourceClient {
  const settings = JSON.stringify(fetching)
  if (opened?.settings === settings) return opened
  opened?.client[Symbol.dispose]()
  const gate = fetching.bytesPerSecond === null ? null : new ReadGate()
  opened = { settings, client: openSourceClient(fetching, gate), gate }
  opened.client.allow(allowedConnections)
  return opened
}

type InspectOrder = Extract<ToWorker, { readonly type: 'inspect' }>

function startInspection({ runId, order, connectionsPerHost, fetching }: InspectOrder): ThreadRun {
  const stop = new AbortController()
  const post: Post = (message, transferred = []) =>
    self.postMessage({ ...message, runId } satisfies FromWorker, transferred)
  const leases = new LeaseMessages(post)
  const largePages = new LargePageMessages(post)
  const { client, gate } = clientFor(fetching)
  gate?.connect((owedBytes) => post({ type: 'requestRate', owedBytes }))
  const environment: InspectionEnvironment = {
    largePages,
    openLeaseChannel: (listener) => leases.open(listener),
    connectionsPerHost,
    fetching,
    client,
    nowMs: () => performance.now(),
    proxyFailed: (proxy, problem) => post({ type: 'proxyFailed', proxy, problem }),
    loginAnswered: (login, outcome) => post({ type: 'loginAnswered', login, outcome }),
  }
  const parsed: PostedInspection = JSON.parse(order)
  const reads = new Requests<readonly SourceToPack[]>()
  void inspect(withSources(parsed, reads, post), environment, stop.signal, post)
  return {
    runId,
    receive(message) {
      if (message.type === 'stop') stop.abort(new Error('the inspection was stopped'))
      else if (message.type === 'sources') reads.take(message.requestId)?.resolve(JSON.parse(message.sources))
      else if (message.type === 'leasesGranted') leases.granted(message.grants)
      else if (message.type === 'leaseRevoked') leases.revoked(message.grant)
      else if (message.type === 'rateGranted') gate?.granted(message.sizeBytes)
      else if (message.type === 'largePageGranted') largePages.granted(message.turnId)
      else if (message.type === 'largePageRevoked') largePages.revoked(message.turnId)
    },
  }
}

function withSources(order: PostedInspection, reads: SourceReads, post: Post): InspectionOrder {
  if (order.kind === 'page') return order
  const { sourceCount, ...rest } = order
  return { ...rest, sources: sourcesRead(sourceCount, reads, post) }
}

type SourceReads = Requests<readonly SourceToPack[]>
type Post = (message: FromRun, transferred?: ArrayBuffer[]) => void

/** Sources that the main thread has. */
function sourcesRead(length: number, reads: SourceReads, post: Post): Sources {
  return {
    length,
    slice: (first, end) => reads.send((requestId) => post({ type: 'readSources', requestId, first, end })),
  }
}

/** An error of the program itself is not caught: it ends the thread, and the inspection fails. */
async function inspect(
  order: InspectionOrder,
  environment: InspectionEnvironment,
  stop: AbortSignal,
  post: Post,
): Promise<void> {
  const heartbeat = setInterval(() => post({ type: 'heartbeat' }), HEARTBEAT_MS)
  let foundBytes = 0
  const found = (text: string) => {
    const json = UTF8.encode(text)
    foundBytes += json.length
    post({ type: 'found', json }, [json.buffer])
    if (foundBytes < COLLECT_FOUND_BYTES) return
    foundBytes = 0
    collectWithin()
  }
  const outcome = await runInspection(order, environment, stop, {
    links: (links) => found(JSON.stringify(links)),
    results: (results) => found(results.map((result) => `${JSON.stringify(result)}\n`).join('')),
  })
  clearInterval(heartbeat)
  post({ type: 'inspectionEnd', outcome })
  collectAfterInspection()
}

async function run(
  order: JobOrder,
  environment: JobEnvironment,
  stop: AbortSignal,
  post: (message: FromRun) => void,
): Promise<void> {
  const heartbeat = setInterval(() => post({ type: 'heartbeat' }), HEARTBEAT_MS)
  const outcome = await runJob(order, environment, stop)
  clearInterval(heartbeat)
  post({ type: 'end', outcome })
  collectAfterList(order.sources.length)
}

/** Connects the lease queue of a run to the connection pool in the main thread. */
class LeaseMessages {
  readonly #post: (message: FromRun) => void
  #listener: LeaseListener | null = null
  /** Posted in one message at the end of the microtask. Often, these are a release and the next request. */
  #changes: LeaseChange[] = []

  constructor(post: (message: FromRun) => void) {
    this.#post = post
  }

  open(listener: LeaseListener): LeaseChannel {
    this.#listener = listener
    return {
      request: (host, use) => this.#change({ kind: 'request', host, use }),
      release: (leaseId, verdict) => this.#change({ kind: 'release', leaseId, verdict }),
      raise: (host, connections) => this.#change({ kind: 'raise', host, connections }),
    }
  }

  granted(grants: readonly Grant[]): void {
    for (const grant of grants) this.#listener?.granted(grant)
  }

  revoked(grant: Grant): void {
    this.#listener?.revoked(grant)
  }

  #change(change: LeaseChange): void {
    if (this.#changes.push(change) > 1) return
    queueMicrotask(() => {
      this.#post({ type: 'changeLeases', changes: this.#changes })
      this.#changes = []
    })
  }
}

const UTF8 = new TextEncoder()

/** Of what was found, which is there as text, too. A page may have 15 MB of it. */
const COLLECT_FOUND_BYTES = 4 * 1024 * 1024

const HEARTBEAT_MS = 1000
