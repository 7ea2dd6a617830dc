import type { FetchSettings } from '../../fetching/fetch-settings.ts'
import { type Http1Client, ReadGate } from '../../fetching/http1/client.ts'
import { openSourceClient } from '../../fetching/source-client.ts'
import { collectAfterInspection, collectAfterList, collectWithin } from '../../garbage.ts'
import { helpAtPort } from '../bodies/help-at-port.ts'
import type { ConnectionsEnvironment } from '../connections/open-connections.ts'
import type { InspectionOrder } from '../inspection/inspection.ts'
import { runInspection } from '../inspection/run-inspection.ts'
import type { Sources, SourceToPack } from '../job-order.ts'
import { Requests } from '../requests.ts'
import { runJob } from '../run-job.ts'
import { LargePageMessages } from './large-page-messages.ts'
import { LeaseMessages } from './lease-messages.ts'
import type {
  FromRun,
  FromWorker,
  InspectOrder,
  OfRun,
  PackOrder,
  PostedInspection,
  RunOrder,
  ToRun,
  ToWorker,
} from './messages.ts'

/**
 * The worker thread. Runs one job or one inspection at a time, or compresses texts and hashes bodies for the jobs of other threads.
 * Everything that jobs share is in the main thread and reached by messages.
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
    case 'inspect':
      lastRun = startRun(data)
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

/** The life of a run in this thread, which the main thread has ordered. */
function startRun(ordered: OfRun<RunOrder>): ThreadRun {
  const { runId, connectionsPerHost, fetching } = ordered
  const stop = new AbortController()
  const post: PostFromRun = (message, transferred = []) =>
    self.postMessage({ ...message, runId } satisfies FromWorker, transferred)
  const reads = new Requests<readonly SourceToPack[]>()
  const leases = new LeaseMessages(post)
  const { client, gate } = clientFor(fetching)
  gate?.connect((owedBytes) => post({ type: 'requestRate', owedBytes }))
  const run: Run = {
    post,
    stop: stop.signal,
    sources: (length) => ({
      length,
      slice: (first, end) => reads.send((requestId) => post({ type: 'readSources', requestId, first, end })),
    }),
    connecting: {
      openLeaseChannel: (listener) => leases.open(listener),
      connectionsPerHost,
      fetching,
      client,
      nowMs: () => performance.now(),
      hostGivenUp: (host, error) => post({ type: 'hostGivenUp', host, error }),
      proxyFailed: (proxy, problem) => post({ type: 'proxyFailed', proxy, problem }),
      loginAnswered: (login, outcome) => post({ type: 'loginAnswered', login, outcome }),
    },
  }
  const heartbeat = setInterval(() => post({ type: 'heartbeat' }), HEARTBEAT_MS)
  const { ended, receiveOwn, collect } = ordered.type === 'run' ? pack(ordered, run) : inspect(ordered, run)
  // An error of the program itself is not caught: it ends the thread, and so the run fails.
  void ended.then((end) => {
    clearInterval(heartbeat)
    post(end)
    collect()
  })
  return {
    runId,
    receive(message) {
      switch (message.type) {
        case 'stop':
          stop.abort(new Error('the run was stopped'))
          break
        case 'sources':
          reads.take(message.requestId)?.resolve(JSON.parse(message.sources))
          break
        case 'leasesGranted':
          leases.granted(message.grants)
          break
        case 'leaseRevoked':
          leases.revoked(message.grant)
          break
        case 'rateGranted':
          gate?.granted(message.sizeBytes)
          break
        default:
          receiveOwn(message)
      }
    },
  }
}

type PostFromRun = (message: FromRun, transferred?: ArrayBuffer[]) => void

/** What all runs have. */
interface Run {
  readonly post: PostFromRun
  readonly stop: AbortSignal
  /** Reads a list of this length from the main thread. */
  sources(length: number): Sources
  readonly connecting: ConnectionsEnvironment
}

/** What differs between a job and an inspection in their thread. */
interface BegunRun {
  /** Resolves to the last message of the run. */
  readonly ended: Promise<FromRun>
  /** Called with each message that only runs of this kind get. */
  receiveOwn(message: ToRun): void
  /** Frees what the run has left behind. */
  collect(): void
}

function pack({ order, jobsRunning }: PackOrder, { post, stop, sources, connecting }: Run): BegunRun {
  const { sourceCount, ...posted } = order
  const helpers = new Requests<readonly MessagePort[]>()
  const commits = new Requests<void>()
  const outcome = runJob(
    { ...posted, sources: sources(sourceCount) },
    {
      connecting,
      connectHelpers: () => helpers.send((requestId) => post({ type: 'connectHelpers', requestId })),
      jobsRunning: () => Atomics.load(jobsRunning, 0),
      progress: (progress) => post({ type: 'progress', progress: JSON.stringify(progress) }),
      internalError(error) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
        post({ type: 'internalError', error: text })
      },
      commit: (batch) =>
        commits.send((requestId) => post({ type: 'commit', requestId, batch: JSON.stringify(batch) })),
    },
    stop,
  )
  return {
    ended: outcome.then((outcome) => ({ type: 'end', outcome })),
    receiveOwn(message) {
      switch (message.type) {
        case 'helpers':
          helpers.take(message.requestId)?.resolve(message.ports)
          break
        case 'committed':
          commits.take(message.requestId)?.resolve()
          break
        case 'commitFailed': {
          const { requestId, error, code } = message
          commits.take(requestId)?.reject(Object.assign(new Error(error), { code }))
          break
        }
      }
    },
    collect: () => collectAfterList(sourceCount),
  }
}

function inspect({ order }: InspectOrder, { post, stop, sources, connecting }: Run): BegunRun {
  const posted: PostedInspection = JSON.parse(order)
  const largePages = new LargePageMessages(post)
  let foundBytes = 0
  const found = (text: string) => {
    const json = UTF8.encode(text)
    foundBytes += json.length
    post({ type: 'found', json }, [json.buffer])
    if (foundBytes < COLLECT_FOUND_BYTES) return
    foundBytes = 0
    collectWithin()
  }
  const outcome = runInspection(withSources(posted, sources), { connecting, largePages }, stop, {
    links: (links) => found(JSON.stringify(links)),
    results: (results) => found(results.map((result) => `${JSON.stringify(result)}\n`).join('')),
  })
  return {
    ended: outcome.then((outcome) => ({ type: 'inspectionEnd', outcome })),
    receiveOwn(message) {
      if (message.type === 'largePageGranted') largePages.granted(message.turnId)
      else if (message.type === 'largePageRevoked') largePages.revoked(message.turnId)
    },
    collect: collectAfterInspection,
  }
}

function withSources(order: PostedInspection, sources: Run['sources']): InspectionOrder {
  if (order.kind === 'page') return order
  const { sourceCount, ...rest } = order
  return { ...rest, sources: sources(sourceCount) }
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

const UTF8 = new TextEncoder()

/** Of what was found, which is there as text, too. A page may have 15 MB of it. */
const COLLECT_FOUND_BYTES = 4 * 1024 * 1024

const HEARTBEAT_MS = 1000
