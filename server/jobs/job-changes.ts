import type { Entry } from './job.ts'
import type { LiveProgress } from './progress.ts'

/** Gathers what has changed since it was last asked, for a client that is told at its own pace. */
export interface JobChanges extends Disposable {
  /** What has changed, newest word only; forgets it. */
  take(): ChangeBatch
  /** Resolves when something has changed, when `wake` is called, or after so long. */
  untilChanged(timeoutMs: number): Promise<void>
  wake(): void
}

export interface ChangeBatch {
  /** Jobs of which anything changed, in the order in which they changed first. */
  readonly jobIds: readonly string[]
  /** Whether the row of a job changed, and not its progress alone. */
  readonly rowChanged: boolean
  /** Entries that changed, of the one job that is watched. */
  readonly entries: readonly Entry[]
  /** More jobs changed than are remembered: whoever watches should begin anew. */
  readonly overflowed: boolean
}

/** More than anyone creates between two looks, unless they don't look. */
const MAX_CHANGED_JOBS = 10_000

export function openJobChanges(
  live: LiveProgress,
  watched: { readonly jobId: string } | { readonly userId: string },
): JobChanges {
  const jobIds = new Set<string>()
  /** By position: no more than the job has URLs. */
  const entries = new Map<number, Entry>()
  let rowChanged = false
  let overflowed = false
  let wakeUp = () => {}
  const subscription = live.subscribe(watched, (jobId, rows) => {
    if (jobIds.size < MAX_CHANGED_JOBS) jobIds.add(jobId)
    else overflowed ||= !jobIds.has(jobId)
    rowChanged ||= rows === null
    if ('jobId' in watched) for (const row of rows ?? []) entries.set(row.position, row)
    wakeUp()
  })

  return {
    take() {
      const changes = { jobIds: [...jobIds], rowChanged, entries: [...entries.values()], overflowed }
      jobIds.clear()
      entries.clear()
      rowChanged = false
      overflowed = false
      return changes
    },
    async untilChanged(timeoutMs) {
      if (jobIds.size > 0) return
      const woken = Promise.withResolvers<void>()
      wakeUp = woken.resolve
      const timer = setTimeout(woken.resolve, timeoutMs)
      await woken.promise
      clearTimeout(timer)
    },
    wake: () => wakeUp(),
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}
