import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'
import { listEntries } from '../api/entries.ts'
import { subscribeToJob, subscribeToJobs } from '../api/job-events.ts'
import { getJob } from '../api/jobs.ts'
import { createLatestRequest } from '../api/latest-request.ts'
import { ApiError } from '../api/request.ts'
import type { Entry, Job } from '../api/types.ts'
import { isActive } from '../archive-list/archive-state.ts'
import { STOPPED } from '../base/stopped.ts'
import { createEntryTable, type EntryTable } from '../map/entry-table.ts'
import { createSpeedHistory, type SpeedHistory } from './speed-history.ts'

/** A job and its entries, kept up to date as long as the owner exists. */
export interface LiveArchive {
  /** Undefined until the first response. */
  readonly job: Accessor<Job | undefined>
  readonly entries: EntryTable
  readonly speed: SpeedHistory
  /** Why the last attempt to update the job failed; null if it succeeded. */
  readonly error: Accessor<ApiError | null>
  /** Reloads the job. To be called after an action that changes it. */
  readonly refresh: () => void
}

/**
 * Subscribes to the event stream of a job. The entries are requested after the stream has opened, so that no change
 * between the two is missed. Whenever the stream is reopened, the entries are loaded again. After the job has ended, the
 * stream of all jobs reports if it is retried or deleted, on this page or elsewhere.
 *
 * @param known the job, if it has been loaded
 */
export function createLiveArchive(id: string, known?: Job): LiveArchive {
  const [job, setJob] = createSignal(known)
  const [error, setError] = createSignal<ApiError | null>(null)
  const entries = createEntryTable()
  const speed = createSpeedHistory()
  let subscription = new AbortController()
  const jobRequest = createLatestRequest(loadJob)
  const entriesRequest = createLatestRequest(loadEntries)
  /** Positions of entries that events updated while a load is running. The load may return older versions. */
  let updatedWhileLoading = new Set<number>()
  if (known !== undefined) entries.setUrls(known.urls)

  function updateJob(job: Job): void {
    setJob(job)
    setError(null)
    // The files of a job that has ended are shown when all are known. Until then, none of them is waiting.
    if (isActive(job)) entries.setUrls(job.urls)
  }

  function applyEntry(entry: Entry): void {
    updatedWhileLoading.add(entry.position)
    entries.update([entry], true)
    // No event reports that a pending job has started.
    setJob((job) => (job?.status === 'pending' ? { ...job, status: 'processing' } : job))
  }

  async function loadEntries(signal: AbortSignal): Promise<void> {
    updatedWhileLoading = new Set()
    const loaded = await listEntries(id, signal)
    if (signal.aborted) return
    entries.setUrls(job()?.urls ?? [])
    entries.update(loaded.filter(({ position }) => !updatedWhileLoading.has(position)))
  }

  /** Loads a job that had ended, and may have changed. */
  async function loadJob(signal: AbortSignal): Promise<void> {
    try {
      const loaded = await getJob(id, signal)
      if (signal.aborted) return
      if (isActive(loaded)) return watchActiveJob()
      // If the job was retried and has ended again in the meantime, its expiry has changed.
      if (loaded.expires_at !== job()?.expires_at) entriesRequest.start()
      updateJob(loaded)
    } catch (error) {
      if (!signal.aborted) onError(error)
      throw error
    }
  }

  function watchActiveJob(): void {
    const { signal } = restartSubscription()
    subscribeToJob(
      id,
      {
        on: {
          snapshot(job) {
            updateJob(job)
            if (isActive(job)) entriesRequest.start()
          },
          progress({ bytes, entries: fileCount, warnings, progress, speed: bytesPerSecond }) {
            setJob(
              (job) =>
                job && { ...job, zip_size: bytes, file_count: fileCount, warning_count: warnings, progress },
            )
            if (progress !== undefined) speed.record(bytesPerSecond, progress)
          },
          entry: applyEntry,
          end(job) {
            updateJob(job)
            speed.clear()
            entriesRequest.start()
            watchEndedJob()
          },
        },
        onError,
      },
      signal,
    )
  }

  /** Watches a job that has ended. It changes only if someone retries or deletes it. */
  function watchEndedJob(): void {
    const { signal } = restartSubscription()
    subscribeToJobs(
      {
        onOpen: jobRequest.start,
        on: {
          job: (changed) => {
            if (changed.id === id) jobRequest.start()
          },
          deleted: (deleted) => {
            if (deleted.id === id) jobRequest.start()
          },
        },
        onError,
      },
      signal,
    )
  }

  function onError(error: unknown): void {
    if (!(error instanceof ApiError)) return
    setError(error)
    if (error.code === 'NOT_FOUND') stop()
  }

  function stop(): void {
    subscription.abort(STOPPED)
    jobRequest.stop()
    entriesRequest.stop()
  }

  function restartSubscription(): AbortController {
    subscription.abort(STOPPED)
    jobRequest.stop()
    subscription = new AbortController()
    return subscription
  }

  onMount(watchActiveJob)
  onCleanup(stop)
  return { job, entries, speed, error, refresh: watchActiveJob }
}
