import { FETCH_LIMITS } from '../../fetching/fetch-limits.ts'
import { compressFor } from '../bodies/compressor.ts'
import type { LeaseListener } from '../connections/lease-queue.ts'
import { collectAfterList } from '../garbage.ts'
import type { JobEnvironment } from '../job-environment.ts'
import type { SourceToPack } from '../job-order.ts'
import { runJob } from '../run-job.ts'
import type { FromWorker, LeaseChange, PostedOrder, ToWorker } from './messages.ts'

/** The worker thread. Runs one job at a time. Everything that jobs share is in the main thread and reached by messages. */
declare const self: Worker

const send = (message: FromWorker) => self.postMessage(message)
const commits = new Map<number, PromiseWithResolvers<void>>()
/** Requests for sources that wait for their answers. The answers arrive in the same order. */
let reads: PromiseWithResolvers<readonly SourceToPack[]>[] = []
let helpers = Promise.withResolvers<readonly MessagePort[]>()
let lastCommitId = 0
let leaseListener: LeaseListener | null = null
/** Changes that are posted in one message at the end of the microtask. Often, these are a release and the next request. */
let leaseChanges: LeaseChange[] = []
let jobsRunning: Int32Array = new Int32Array(1)
let stop = new AbortController()

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'run':
      jobsRunning = data.jobsRunning
      void run(data.order)
      break
    case 'reportStart':
      Atomics.store(data.started, 0, 1)
      Atomics.notify(data.started, 0)
      break
    case 'compress':
      compressFor(data.port)
      break
    case 'helpers':
      helpers.resolve(data.ports)
      break
    case 'stop':
      stop.abort(new Error('the job was stopped'))
      break
    case 'sources':
      reads.shift()?.resolve(JSON.parse(data.sources))
      break
    case 'leasesGranted':
      for (const host of data.hosts) leaseListener?.granted(host)
      break
    case 'leaseRevoked':
      leaseListener?.revoked(data.host)
      break
    case 'committed':
      commits.get(data.commitId)?.resolve()
      commits.delete(data.commitId)
      break
    case 'commitFailed':
      commits.get(data.commitId)?.reject(Object.assign(new Error(data.error), { code: data.code }))
      commits.delete(data.commitId)
      break
  }
}

const environment: JobEnvironment = {
  limits: FETCH_LIMITS,
  openLeaseChannel(listener) {
    leaseListener = listener
    return {
      request: (host) => changeLease({ host, verdict: null }),
      release: (host, verdict) => changeLease({ host, verdict }),
    }
  },
  connectHelpers() {
    helpers = Promise.withResolvers()
    send({ type: 'connectHelpers' })
    return helpers.promise
  },
  jobsRunning: () => Atomics.load(jobsRunning, 0),
  progress: (progress) => send({ type: 'progress', progress: JSON.stringify(progress) }),
  internalError(error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    send({ type: 'internalError', error: text })
  },
  hostGivenUp: (host, error) => send({ type: 'hostGivenUp', host, error }),
  commit(batch) {
    const commitId = ++lastCommitId
    send({ type: 'commit', commitId, batch: JSON.stringify(batch) })
    const committed = Promise.withResolvers<void>()
    commits.set(commitId, committed)
    return committed.promise
  },
}

async function run({ sourceCount, ...order }: PostedOrder): Promise<void> {
  stop = new AbortController()
  reads = []
  const heartbeat = setInterval(() => send({ type: 'heartbeat' }), HEARTBEAT_MS)
  const outcome = await runJob(
    { ...order, sources: { length: sourceCount, slice: readSources } },
    environment,
    stop.signal,
  )
  clearInterval(heartbeat)
  send({ type: 'end', outcome })
  collectAfterList(sourceCount)
}

function changeLease(change: LeaseChange): void {
  if (leaseChanges.push(change) > 1) return
  queueMicrotask(() => {
    send({ type: 'changeLeases', changes: leaseChanges })
    leaseChanges = []
  })
}

function readSources(first: number, end: number): Promise<readonly SourceToPack[]> {
  const read = Promise.withResolvers<readonly SourceToPack[]>()
  reads.push(read)
  send({ type: 'readSources', first, end })
  return read.promise
}

const HEARTBEAT_MS = 1000
