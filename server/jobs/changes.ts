import type { Entry } from './job.ts'
import type { JobChange, LiveProgress } from './progress.ts'

/** Collects the changes of jobs until a client takes them, so that a slow client gets fewer and larger batches. */
export interface ChangeCollector extends Disposable {
  /** The changes since the last call, with only the latest change of each entry. */
  take(): ChangeBatch
  /** Resolves when something has changed, when `wake` is called, or after the timeout. */
  untilChanged(timeoutMs: number): Promise<void>
  wake(): void
}

export interface ChangeBatch {
  /** The latest change of each job, in the order of their first changes. */
  readonly jobs: readonly JobChange[]
  /** Whether the row of a job changed, rather than only its progress. */
  readonly rowChanged: boolean
  /** Changed entries. Empty when all jobs of a user are watched. */
  readonly entries: readonly Entry[]
  /** Whether more jobs changed than can be collected. The client then has to reload its list. */
  readonly overflowed: boolean
}

/** A client that reads its stream stays far below this. */
const MAX_CHANGED_JOBS = 10_000

export function openChangeCollector(
  live: LiveProgress,
  watched: { readonly jobId: string } | { readonly userId: string },
): ChangeCollector {
  const jobs = new Map<string, JobChange>()
  /** By position, so at most one per URL of the job. */
  const entries = new Map<number, Entry>()
  let rowChanged = false
  let overflowed = false
  let wakeUp = () => {}
  const subscription = live.subscribe(watched, (change, changedEntries) => {
    if (jobs.size < MAX_CHANGED_JOBS || jobs.has(change.jobId)) jobs.set(change.jobId, change)
    else overflowed = true
    rowChanged ||= change.rowChanged
    if ('jobId' in watched) for (const entry of changedEntries) entries.set(entry.position, entry)
    wakeUp()
  })

  return {
    take() {
      const changes = { jobs: [...jobs.values()], rowChanged, entries: [...entries.values()], overflowed }
      jobs.clear()
      entries.clear()
      rowChanged = false
      overflowed = false
      return changes
    },
    async untilChanged(timeoutMs) {
      if (jobs.size > 0) return
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
