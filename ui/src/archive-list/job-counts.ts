import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { getJobCounts } from '../api/jobs.ts'
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
  const lifetime = new AbortController()
  let requestedAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  async function load() {
    timer = undefined
    requestedAtMs = performance.now()
    // A failure is not reported here, because the list reports it. The next refresh loads the counts.
    const response = await getJobCounts(lifetime.signal).catch(() => undefined)
    if (response && !lifetime.signal.aborted) setCounts(response)
  }

  onCleanup(() => {
    clearTimeout(timer)
    lifetime.abort()
  })

  return {
    counts,
    refresh() {
      timer ??= setTimeout(
        () => void load(),
        Math.max(0, requestedAtMs + MIN_INTERVAL_MS - performance.now()),
      )
    },
  }
}

/** The minimum time between two requests, however fast jobs change. */
const MIN_INTERVAL_MS = 1_000
