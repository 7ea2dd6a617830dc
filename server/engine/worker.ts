import { FETCH_LIMITS } from '../fetching/fetch-limits.ts'
import type { JobOrder } from './job-order.ts'
import type { LeaseListener } from './lease-queue.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { runJob } from './run-job.ts'

/** The worker thread: runs one job at a time, and asks the main thread for all that the service shares. */
declare const self: Worker

const say = (message: FromWorker) => self.postMessage(message)
const commits = new Map<number, PromiseWithResolvers<void>>()
let lastCommitId = 0
let leaseListener: LeaseListener | null = null
let jobsRunning = 1
let stop = new AbortController()

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'run':
      void run(data.order)
      break
    case 'running':
      jobsRunning = data.jobs
      break
    case 'stop':
      stop.abort(new Error('the job was told to stop'))
      break
    case 'granted':
      leaseListener?.granted(data.host)
      break
    case 'revoked':
      leaseListener?.revoked(data.host)
      break
    case 'committed':
      commits.get(data.commitId)?.resolve()
      commits.delete(data.commitId)
      break
    case 'uncommitted':
      commits.get(data.commitId)?.reject(Object.assign(new Error(data.error), { code: data.code }))
      commits.delete(data.commitId)
      break
  }
}

async function run(order: JobOrder): Promise<void> {
  stop = new AbortController()
  const heartbeat = setInterval(() => say({ type: 'alive' }), HEARTBEAT_MS)
  const outcome = await runJob(
    order,
    {
      openLeaseChannel: (listener) => {
        leaseListener = listener
        return {
          request: (host) => say({ type: 'requestLease', host }),
          release: (host, verdict) => say({ type: 'releaseLease', host, verdict }),
        }
      },
      limits: FETCH_LIMITS,
      jobsRunning: () => jobsRunning,
      tell: (progress) => say({ type: 'progress', progress }),
      report: (error) =>
        say({
          type: 'report',
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      hostGivenUp: (host, error) => say({ type: 'hostGivenUp', host, error }),
      commit: (changes, durable) => {
        const commitId = ++lastCommitId
        say({ type: 'commit', commitId, changes, durable })
        const committed = Promise.withResolvers<void>()
        commits.set(commitId, committed)
        return committed.promise
      },
    },
    stop.signal,
  )
  clearInterval(heartbeat)
  say({ type: 'end', outcome })
  // The thread waits for its next job, perhaps for hours: a long list is not to stay in its memory.
  if (order.sources.length >= LONG_LIST) setTimeout(() => Bun.gc(true), 0)
}

const LONG_LIST = 1000

const HEARTBEAT_MS = 1000
