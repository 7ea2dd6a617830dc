import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { getJobCounts } from '../api/jobs.ts'
import { createLatestRequest } from '../api/latest-request.ts'
import type { JobCounts } from '../api/types.ts'

export interface LiveCounts {
  /** Undefined until the first response. */
  readonly counts: Accessor<JobCounts | undefined>
  /** Loads the counts again, at once or as soon as the minimum interval is over. */
  readonly refresh: () => void
}

/** The number of jobs per status, loaded when `refresh` is called. */
export function createJobCounts(): LiveCounts {
  const [counts, setCounts] = createSignal<JobCounts>()
  // A failure is not shown here, because the list shows it.
  const request = createLatestRequest(async (signal) => {
    const response = await getJobCounts(signal)
    if (!signal.aborted) setCounts(response)
  })
  let requestedAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  function load() {
    timer = undefined
    requestedAtMs = performance.now()
    request.start()
  }

  onCleanup(() => {
    clearTimeout(timer)
    request.stop()
  })

  return {
    counts,
    refresh() {
      timer ??= setTimeout(load, Math.max(0, requestedAtMs + MIN_INTERVAL_MS - performance.now()))
    },
  }
}

/** The minimum time between two requests, however fast jobs change. */
const MIN_INTERVAL_MS = 1_000
