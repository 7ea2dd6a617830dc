import type { StoredEntry } from '../../server/engine/checkpoint/checkpoint.ts'
import type { BaseEntry, JobOutcome, SourceToPack } from '../../server/engine/job-order.ts'
import type { TestJob } from './test-job.ts'

/** The sources of a list, each with the entry of the same position in the archive of a completed job. */
export function sourcesWithBase(urls: readonly string[], job: TestJob, outcome: JobOutcome): SourceToPack[] {
  return urls.map((url, position) => {
    const base = baseEntry(job, outcome, position)
    return { url, filename: null, ...(base === null ? {} : { base }) }
  })
}

/** The entry of a completed job as its finished archive has it; null if its URL failed. */
function baseEntry(job: TestJob, outcome: JobOutcome, position: number): BaseEntry | null {
  const entry = job.checkpoint.entries.find((known) => known.position === position)
  if (entry?.status !== 'stored' || outcome.status !== 'completed') return null
  const changed = outcome.changed.find((place) => place.position === position)
  const { name: finalName, offset, headerBytes } = changed ?? entry
  return { ...entry, finalName, offset, headerBytes }
}

/** The entries of a job that were copied from its base, by position. */
export function reusedEntries(job: TestJob): StoredEntry[] {
  return job.checkpoint.entries
    .filter((entry) => entry.status === 'stored')
    .filter(({ isReused }) => isReused)
    .toSorted((a, b) => a.position - b.position)
}
