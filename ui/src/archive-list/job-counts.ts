import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { getJobCounts } from '../api/jobs.ts'
import type { JobCounts } from '../api/types.ts'

/** However fast jobs change, the service is asked no oftener. */
const MIN_INTERVAL_MS = 1_000

export interface LiveCounts {
  /** Undefined until the first answer. */
  readonly counts: Accessor<JobCounts | undefined>
  /** They may have changed: asks at once, or as soon as it may. */
  readonly refresh: () => void
}

/** How many jobs there are in each status, asked for when told to. */
export function createJobCounts(): LiveCounts {
  const [counts, setCounts] = createSignal<JobCounts>()
  const lifetime = new AbortController()
  let askedAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  async function ask() {
    timer = undefined
    askedAtMs = performance.now()
    // An answer that did not come is made up for by the next: the list itself tells what is wrong.
    const answer = await getJobCounts(lifetime.signal).catch(() => undefined)
    if (answer && !lifetime.signal.aborted) setCounts(answer)
  }

  onCleanup(() => {
    clearTimeout(timer)
    lifetime.abort()
  })

  return {
    counts,
    refresh() {
      timer ??= setTimeout(() => void ask(), Math.max(0, askedAtMs + MIN_INTERVAL_MS - performance.now()))
    },
  }
}
