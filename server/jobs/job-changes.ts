import type { Entry } from './job.ts'
import type { LiveProgress } from './progress.ts'

/** Collects the changes of jobs until a client takes them, so that a slow client gets fewer and larger batches. */
export interface JobChanges extends Disposable {
  /** The changes since the last call: of each entry only the latest. */
  take(): ChangeBatch
  /** Resolves when something has changed, when `wake` is called, or after the timeout. */
  untilChanged(timeoutMs: number): Promise<void>
  wake(): void
}

export interface ChangeBatch {
  /** Jobs that changed, in the order of their first changes. */
  readonly jobIds: readonly string[]
  /** Whether the row of a job changed, rather than only its progress. */
  readonly rowChanged: boolean
  /** Changed entries. Empty when all jobs of a user are watched. */
  readonly entries: readonly Entry[]
  /** Whether more jobs changed than are collected. The client then has to reload its list. */
  readonly overflowed: boolean
}

/** A client that takes changes regularly never gets near this. */
const MAX_CHANGED_JOBS = 10_000

export function openJobChanges(
  live: LiveProgress,
  watched: { readonly jobId: string } | { readonly userId: string },
): JobChanges {
  const jobIds = new Set<string>()
  /** By position, so at most one per URL of the job. */
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
