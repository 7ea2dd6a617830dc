import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { getJobCounts } from '../api/jobs.ts'
import type { JobCounts } from '../api/types.ts'
import { STOPPED } from '../base/stopped.ts'

export interface LoadedCounts {
  /** Undefined until the first response. */
  readonly counts: Accessor<JobCounts | undefined>
  /** Loads the counts again, at once or as soon as the minimum interval is over. */
  readonly refresh: () => void
}

/** The number of jobs per status, loaded when `refresh` is called. One request runs at a time, so the latest counts stay. */
export function createJobCounts(): LoadedCounts {
  const [counts, setCounts] = createSignal<JobCounts>()
  const lifetime = new AbortController()
  let requestedAtMs = Number.NEGATIVE_INFINITY
  /** Set until the request that it starts has ended. */
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStale = false

  function schedule() {
    timer ??= setTimeout(() => void load(), Math.max(0, requestedAtMs + MIN_INTERVAL_MS - performance.now()))
  }

  async function load() {
    isStale = false
    requestedAtMs = performance.now()
    // A failure is not reported here, because the list reports it. The next refresh loads the counts.
    const response = await getJobCounts(lifetime.signal).catch(() => undefined)
    if (lifetime.signal.aborted) return
    if (response) setCounts(response)
    timer = undefined
    if (isStale) schedule()
  }

  onCleanup(() => {
    clearTimeout(timer)
    lifetime.abort(STOPPED)
  })

  return {
    counts,
    refresh() {
      isStale = true
      schedule()
    },
  }
}

/** The minimum time between two requests, however fast jobs change. */
const MIN_INTERVAL_MS = 1_000
