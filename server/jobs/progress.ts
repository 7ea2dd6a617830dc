import type { ArchiveCounts } from '../engine/checkpoint/checkpoint.ts'
import type { EntryProgress, JobProgress } from '../engine/job-order.ts'
import type { Clock } from '../time/clock.ts'
import type { Entry, OwnedJob } from './job.ts'

/** Progress of the running jobs as their workers last reported it: newer than the database. */
export interface LiveProgress {
  /** Bytes received from the sources of all jobs since the start. */
  readonly fetchedBytes: number
  /** A run begins. The URLs of a job can be megabytes, so `urlOf` is called only for changes that have listeners. */
  begin(job: OwnedJob, urlOf: (position: number) => string): void
  record(jobId: string, progress: JobProgress): void
  /** The run is over. The job has ended, or is pending again. */
  end(job: OwnedJob): void
  /** Null when the job isn't running or has not reported yet. */
  counts(jobId: string): LiveCounts | null
  /** The last report about an entry of a running job; null when this run has none. */
  entry(jobId: string, position: number): EntryProgress | null
  /** Bytes per second from the sources of a running job, over the last seconds. */
  bytesPerSecond(jobId: string): number
  /** The row of a job was created, changed or deleted. */
  changed(job: OwnedJob): void
  /** Calls `listener` at every change of one job, of all jobs of one user, or of all jobs, until disposed of. */
  subscribe(watched: Watched, listener: Listener): Disposable
}

/** What changes in the row of a job while it runs. */
export type LiveCounts = ArchiveCounts & Pick<JobProgress, 'doneFraction'>

export type Watched = { readonly jobId: string } | { readonly userId: string } | 'all'

/** One change of a job. All listeners get the same object, so that they can share what they make of the changed job. */
export interface JobChange {
  readonly jobId: string
  /** Whether the row of the job changed, rather than only its progress. */
  readonly rowChanged: boolean
}

/** `entries` are the changed ones. Must not throw. */
export type Listener = (change: JobChange, entries: readonly Entry[]) => void

interface Run {
  readonly userId: string
  urlOf(position: number): string
  readonly entries: Map<number, EntryProgress>
  readonly rateMeter: RateMeter
  counts: LiveCounts | null
  receivedBytes: number
}

/** @param monotonic the clock for rates, since the system clock may be set back */
export function openLiveProgress(monotonic: Clock): LiveProgress {
  const runs = new Map<string, Run>()
  /** By the id of a job or a user, which are UUIDs, or `all`. */
  const listeners = new Map<string, Set<Listener>>()
  let fetchedBytes = 0

  function notify({ jobId, userId }: OwnedJob, rowChanged: boolean, entries: readonly Entry[] = []): void {
    const change = { jobId, rowChanged }
    for (const id of [jobId, userId, 'all']) {
      for (const listener of listeners.get(id) ?? []) listener(change, entries)
    }
  }

  return {
    get fetchedBytes() {
      return fetchedBytes
    },
    begin(job, urlOf) {
      const rateMeter = openRateMeter(monotonic)
      const run = { userId: job.userId, urlOf, entries: new Map(), rateMeter, counts: null, receivedBytes: 0 }
      runs.set(job.jobId, run)
      notify(job, true)
    },
    record(jobId, progress) {
      const run = runs.get(jobId)
      if (run === undefined) return
      const { fileCount, zipBytes, reusedCount, warningCount, receivedBytes, doneFraction } = progress
      fetchedBytes += receivedBytes - run.receivedBytes
      run.receivedBytes = receivedBytes
      run.counts = { fileCount, zipBytes, reusedCount, warningCount, doneFraction }
      run.rateMeter.record(receivedBytes)
      for (const entry of progress.entries) run.entries.set(entry.position, entry)
      // Created once for all listeners.
      const changed = listeners.has(jobId) ? progress.entries : []
      notify(
        { jobId, userId: run.userId },
        false,
        changed.map((entry) => ({ ...entry, url: run.urlOf(entry.position), change: null, keptFrom: null })),
      )
    },
    end(job) {
      runs.delete(job.jobId)
      notify(job, true)
    },
    counts: (jobId) => runs.get(jobId)?.counts ?? null,
    entry: (jobId, position) => runs.get(jobId)?.entries.get(position) ?? null,
    bytesPerSecond: (jobId) => runs.get(jobId)?.rateMeter.perSecond() ?? 0,
    changed: (job) => notify(job, true),
    subscribe(watched, listener) {
      const id = watched === 'all' ? watched : 'jobId' in watched ? watched.jobId : watched.userId
      const others = listeners.get(id) ?? new Set()
      listeners.set(id, others.add(listener))
      return {
        [Symbol.dispose]() {
          others.delete(listener)
          if (others.size === 0 && listeners.get(id) === others) listeners.delete(id)
        },
      }
    },
  }
}

/** The rate of a growing count over the last seconds: long enough for a steady value, short enough to show a stall. */
interface RateMeter {
  /** Records the total so far. */
  record(count: number): void
  perSecond(): number
}

const WINDOW_MS = 3_000

function openRateMeter(monotonic: Clock): RateMeter {
  const readings = [{ at: monotonic(), count: 0 }]
  return {
    record(count) {
      readings.push({ at: monotonic(), count })
      forgetBefore(monotonic() - WINDOW_MS)
    },
    perSecond() {
      const now = monotonic()
      forgetBefore(now - WINDOW_MS)
      const [first] = readings
      const last = readings.at(-1)
      if (first === undefined || last === undefined || now <= first.at) return 0
      return Math.round(((last.count - first.count) * 1000) / Math.max(now - first.at, 1))
    },
  }

  /** Keeps the last reading before the window: the window begins with its count. */
  function forgetBefore(time: number): void {
    while ((readings[1]?.at ?? Number.POSITIVE_INFINITY) <= time) readings.shift()
  }
}
