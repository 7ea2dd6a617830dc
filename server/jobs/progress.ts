import type { EntryProgress, JobProgress } from '../engine/job-order.ts'

/** How far the running jobs are: what their workers told last, ahead of the rows that follow it. */
export interface LiveProgress {
  /** A run begins: nothing is known of it yet. */
  begin(jobId: string): void
  record(jobId: string, progress: JobProgress): void
  end(jobId: string): void
  /** Null when the job isn't running or hasn't told yet. */
  counts(jobId: string): LiveCounts | null
  /** The last word about an entry of a running job, if there was one in this run. */
  entry(jobId: string, position: number): EntryProgress | null
}

export interface LiveCounts {
  readonly fileCount: number
  readonly zipBytes: number
}

export function openLiveProgress(): LiveProgress {
  const runs = new Map<string, { counts: LiveCounts | null; entries: Map<number, EntryProgress> }>()
  return {
    begin(jobId) {
      runs.set(jobId, { counts: null, entries: new Map() })
    },
    record(jobId, progress) {
      const run = runs.get(jobId)
      if (run === undefined) return
      run.counts = { fileCount: progress.fileCount, zipBytes: progress.zipBytes }
      for (const entry of progress.entries) run.entries.set(entry.position, entry)
    },
    end(jobId) {
      runs.delete(jobId)
    },
    counts: (jobId) => runs.get(jobId)?.counts ?? null,
    entry: (jobId, position) => runs.get(jobId)?.entries.get(position) ?? null,
  }
}
