import type { EntryProgress, JobProgress } from '../engine/job-order.ts'
import type { Clock } from '../time/clock.ts'
import type { Entry } from './job.ts'
import { openRateMeter, type RateMeter } from './rate-meter.ts'

/** How far the running jobs are: what their workers told last, ahead of the rows that follow it. */
export interface LiveProgress {
  /** A run begins: nothing is known of it yet. URLs can be megabytes: they are asked for when somebody listens. */
  begin(job: JobOwned, urlOf: (position: number) => string): void
  record(jobId: string, progress: JobProgress): void
  /** The run is over, and so is the job unless it is to go on later. */
  end(job: JobOwned): void
  /** Null when the job isn't running or hasn't told yet. */
  counts(jobId: string): LiveCounts | null
  /** The last word about an entry of a running job, if there was one in this run. */
  entry(jobId: string, position: number): EntryProgress | null
  /** Bytes a second from the sources of a running job, over the last seconds. */
  bytesPerSecond(jobId: string): number
  /** The row of a job is new, another, or gone. */
  changed(job: JobOwned): void
  /** Calls `listener` at every change of one job, or of any of a user's jobs, until disposed of. */
  subscribe(watched: { readonly jobId: string } | { readonly userId: string }, listener: Listener): Disposable
}

/** A job and whose it is. */
export interface JobOwned {
  readonly jobId: string
  readonly userId: string
}

export interface LiveCounts {
  readonly fileCount: number
  readonly zipBytes: number
}

/** `entries` are the rows that changed; null when the job's own row did. It must not throw. */
export type Listener = (jobId: string, entries: readonly Entry[] | null) => void

interface Run {
  readonly userId: string
  urlOf(position: number): string
  readonly entries: Map<number, EntryProgress>
  readonly rateMeter: RateMeter
  counts: LiveCounts | null
}

/** @param monotonic for speeds: a clock that is set back would stop them */
export function openLiveProgress(monotonic: Clock): LiveProgress {
  const runs = new Map<string, Run>()
  /** By the id of a job or a user: both are UUIDs. */
  const listeners = new Map<string, Set<Listener>>()

  function tell({ jobId, userId }: JobOwned, entries: readonly Entry[] | null): void {
    for (const id of [jobId, userId]) {
      for (const listener of listeners.get(id) ?? []) listener(jobId, entries)
    }
  }

  return {
    begin(job, urlOf) {
      const rateMeter = openRateMeter(monotonic)
      runs.set(job.jobId, { userId: job.userId, urlOf, entries: new Map(), rateMeter, counts: null })
      tell(job, null)
    },
    record(jobId, progress) {
      const run = runs.get(jobId)
      if (run === undefined) return
      run.counts = { fileCount: progress.fileCount, zipBytes: progress.zipBytes }
      run.rateMeter.record(progress.receivedBytes)
      for (const entry of progress.entries) run.entries.set(entry.position, entry)
      // Rows are made once, however many listen.
      const told = listeners.has(jobId) ? progress.entries : []
      tell(
        { jobId, userId: run.userId },
        told.map((entry) => ({ ...entry, url: run.urlOf(entry.position) })),
      )
    },
    end(job) {
      runs.delete(job.jobId)
      tell(job, null)
    },
    counts: (jobId) => runs.get(jobId)?.counts ?? null,
    entry: (jobId, position) => runs.get(jobId)?.entries.get(position) ?? null,
    bytesPerSecond: (jobId) => runs.get(jobId)?.rateMeter.perSecond() ?? 0,
    changed: (job) => tell(job, null),
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
