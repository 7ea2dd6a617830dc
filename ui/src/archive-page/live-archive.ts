import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'
import { entryPages } from '../api/entries.ts'
import { followJob, followJobs } from '../api/job-events.ts'
import { getJob } from '../api/jobs.ts'
import { ApiError } from '../api/request.ts'
import type { Entry, Job } from '../api/types.ts'
import { isActive } from '../archive-list/archive-state.ts'
import { createEntryTable, type EntryTable } from './entries/entry-table.ts'
import { createSpeedLog, type SpeedLog } from './speed-log.ts'

/** How soon the entries are asked for again when the service refused them. */
const REFUSED_PAUSE_MS = 5_000

/** A job and its entries, kept up to date while their owner lives. */
export interface LiveArchive {
  /** Undefined until the service has answered. */
  readonly job: Accessor<Job | undefined>
  readonly entries: EntryTable
  readonly speed: SpeedLog
  /** Why there is no newer word of the job; null when there is. */
  readonly error: Accessor<ApiError | null>
  /** Looks again at once: something was done that changes the job. */
  readonly refresh: () => void
}

/**
 * Follows a job by its stream of events. The stream is opened first and the entries are asked for then, so that no
 * change is missed between the two; a stream that is opened again begins all of this anew. When the job has ended,
 * the stream of all jobs tells of its retry or deletion, from whichever page.
 */
export function createLiveArchive(id: string): LiveArchive {
  const [job, setJob] = createSignal<Job>()
  const [error, setError] = createSignal<ApiError | null>(null)
  const table = createEntryTable()
  const speed = createSpeedLog()
  let following = new AbortController()
  let loading = new AbortController()
  /** What events told while the entries were being loaded is newer than what is loaded. */
  let told = new Set<number>()

  function take(job: Job): void {
    setJob(job)
    setError(null)
    table.begin(job.urls)
  }

  function tellEntry(entry: Entry): void {
    told.add(entry.position)
    table.put([entry])
    // The stream does not say that a waiting job has begun.
    setJob((job) => (job?.status === 'pending' ? { ...job, status: 'processing' } : job))
  }

  async function loadEntries(): Promise<void> {
    loading.abort()
    loading = new AbortController()
    told = new Set()
    const { signal } = loading
    try {
      for await (const page of entryPages(id, signal)) {
        if (signal.aborted) return
        table.put(page.filter(({ position }) => !told.has(position)))
      }
    } catch {
      // When the connection is lost the stream breaks, too, and begins anew.
      if (!signal.aborted) setTimeout(() => signal.aborted || loadEntries(), REFUSED_PAUSE_MS)
    }
  }

  function follow(): void {
    const { signal } = renew()
    followJob(
      id,
      {
        on: {
          snapshot(job) {
            take(job)
            if (isActive(job)) void loadEntries()
          },
          progress({ bytes, entries, speed: perSecond }) {
            setJob((job) => job && { ...job, zip_size: bytes, file_count: entries })
            speed.record(perSecond, entries + table.counts().failed)
          },
          entry: tellEntry,
          end(job) {
            take(job)
            speed.clear()
            void loadEntries()
            rest()
          },
        },
        failed,
      },
      signal,
    )
  }

  /** Nothing happens to a job that has ended, until someone does something. */
  function rest(): void {
    const { signal } = renew()
    const look = () => getJob(id, signal).then(seen, failed)
    const seen = (now: Job) => {
      if (isActive(now)) return follow()
      // It may have gone on and ended again meanwhile, which gives it another expiry.
      if (now.expires_at !== job()?.expires_at) void loadEntries()
      take(now)
    }
    followJobs(
      {
        opened: () => void look(),
        on: {
          job: (changed) => {
            if (changed.id === id) void look()
          },
          deleted: (deleted) => {
            if (deleted.id === id) void look()
          },
        },
        failed,
      },
      signal,
    )
  }

  function failed(error: unknown): void {
    if (!(error instanceof ApiError)) return
    setError(error)
    if (error.code === 'NOT_FOUND') following.abort()
  }

  function renew(): AbortController {
    following.abort()
    following = new AbortController()
    return following
  }

  onMount(follow)
  onCleanup(() => {
    following.abort()
    loading.abort()
  })
  return { job, entries: table, speed, error, refresh: follow }
}
