import type { EntryProgress, JobProgress } from '../engine/job-order.ts'
import type { Clock } from '../time/clock.ts'
import type { Entry } from './job.ts'
import { openRateMeter, type RateMeter } from './rate-meter.ts'

/** Progress of the running jobs as their workers last reported it, which is ahead of the database. */
export interface LiveProgress {
  /** A run begins. The URLs of a job can be megabytes, so `urlOf` is called only while somebody listens. */
  begin(job: JobOwned, urlOf: (position: number) => string): void
  record(jobId: string, progress: JobProgress): void
  /** The run is over. The job has ended, or is pending again. */
  end(job: JobOwned): void
  /** Null when the job isn't running or has not reported yet. */
  counts(jobId: string): LiveCounts | null
  /** The last report about an entry of a running job; null when this run has none. */
  entry(jobId: string, position: number): EntryProgress | null
  /** Bytes per second from the sources of a running job, over the last seconds. */
  bytesPerSecond(jobId: string): number
  /** The row of a job was created, changed or deleted. */
  changed(job: JobOwned): void
  /** Calls `listener` at every change of one job, or of all jobs of one user, until disposed of. */
  subscribe(watched: { readonly jobId: string } | { readonly userId: string }, listener: Listener): Disposable
}

/** A job and its owner. */
export interface JobOwned {
  readonly jobId: string
  readonly userId: string
}

export interface LiveCounts {
  readonly fileCount: number
  readonly zipBytes: number
}

/** `entries` are the changed ones; null when the row of the job itself changed. Must not throw. */
export type Listener = (jobId: string, entries: readonly Entry[] | null) => void

interface Run {
  readonly userId: string
  urlOf(position: number): string
  readonly entries: Map<number, EntryProgress>
  readonly rateMeter: RateMeter
  counts: LiveCounts | null
}

/** @param monotonic the clock for rates, since the system clock may be set back */
export function openLiveProgress(monotonic: Clock): LiveProgress {
  const runs = new Map<string, Run>()
  /** By the id of a job or a user: both are UUIDs. */
  const listeners = new Map<string, Set<Listener>>()

  function notify({ jobId, userId }: JobOwned, entries: readonly Entry[] | null): void {
    for (const id of [jobId, userId]) {
      for (const listener of listeners.get(id) ?? []) listener(jobId, entries)
    }
  }

  return {
    begin(job, urlOf) {
      const rateMeter = openRateMeter(monotonic)
      runs.set(job.jobId, { userId: job.userId, urlOf, entries: new Map(), rateMeter, counts: null })
      notify(job, null)
    },
    record(jobId, progress) {
      const run = runs.get(jobId)
      if (run === undefined) return
      run.counts = { fileCount: progress.fileCount, zipBytes: progress.zipBytes }
      run.rateMeter.record(progress.receivedBytes)
      for (const entry of progress.entries) run.entries.set(entry.position, entry)
      // Made once for all listeners.
      const changed = listeners.has(jobId) ? progress.entries : []
      notify(
        { jobId, userId: run.userId },
        changed.map((entry) => ({ ...entry, url: run.urlOf(entry.position) })),
      )
    },
    end(job) {
      runs.delete(job.jobId)
      notify(job, null)
    },
    counts: (jobId) => runs.get(jobId)?.counts ?? null,
    entry: (jobId, position) => runs.get(jobId)?.entries.get(position) ?? null,
    bytesPerSecond: (jobId) => runs.get(jobId)?.rateMeter.perSecond() ?? 0,
    changed: (job) => notify(job, null),
    subscribe(watched, listener) {
      const id = 'jobId' in watched ? watched.jobId : watched.userId
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
