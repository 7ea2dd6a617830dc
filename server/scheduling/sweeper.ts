import type { DataDir } from '../data/data-dir.ts'
import type { Database } from '../db/open.ts'
import { runInBatches } from '../db/run-in-batches.ts'
import { KEPT_FREE_BYTES } from '../files/free-space.ts'
import type { DetailDeletions } from '../jobs/deletion/detail-deletion-store.ts'
import type { FileDeletions } from '../jobs/deletion/file-deletions.ts'
import type { TransitionStore } from '../jobs/lifecycle/transition-store.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import { openFailureLog } from '../logging/failure-log.ts'
import type { Log } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'
import type { ClockCheck } from './clock-check.ts'
import type { RowCleanup } from './row-cleanup.ts'

export interface SweeperOptions {
  readonly transitions: TransitionStore
  readonly live: LiveProgress
  readonly fileDeletions: FileDeletions
  readonly detailDeletions: DetailDeletions
  readonly rowCleanup: RowCleanup
  readonly clock: Clock
  readonly clockCheck: ClockCheck
  readonly dir: Pick<DataDir, 'root' | 'archives'>
  /** Keeps space for deletions. */
  readonly db: Pick<Database, 'keepReserve'>
  /** Free space on the disk of a directory. */
  freeBytes(directory: string): number
  readonly log: Log
}

/** Deletes what has expired. The clock alone decides whether a download is refused, so sweeping only frees disk space. */
export interface Sweeper extends AsyncDisposable {
  /** Sweeps every few seconds until disposed of. */
  start(): void
  /** Sweeps at the current time. While the clock is not trusted, does only what does not depend on it. */
  sweepNow(): Promise<void>
  /** One sweep at the time `now`. Changes rows before it deletes files, so that a crash leaves no row without its file. */
  sweep(now: number): Promise<void>
}

/** A sweep without work is one indexed query. Archives are deleted at most this long after their expiry. */
const SWEEP_INTERVAL_MS = 5_000
/** The service has answered its first requests by then. */
const FIRST_SWEEP_MS = 250

export function openSweeper(options: SweeperOptions): Sweeper {
  const { transitions, live, fileDeletions, detailDeletions, rowCleanup, clock, clockCheck, log } = options
  const { dir, db, freeBytes } = options
  const stop = new AbortController()
  let timer: Timer | null = null
  const sweeps = openFailureLog(log, 'the sweep of expired archives failed')
  let sweeping = Promise.resolve()

  async function sweepNow(): Promise<void> {
    const now = clock()
    if (freeBytes(dir.root) >= KEPT_FREE_BYTES.database) db.keepReserve()
    if (clockCheck.isTrusted()) return await sweep(now)
    await deleteLeftOver()
    await evictCheckpoints(now)
  }

  async function deleteLeftOver(): Promise<void> {
    await fileDeletions.deletePending()
    await detailDeletions.deletePending(stop.signal)
  }

  async function sweep(now: number): Promise<void> {
    await deleteLeftOver()
    await runInBatches(async () => {
      const expired = transitions.expire(now)
      for (const job of expired) live.changed(job)
      await Promise.all(expired.map(({ jobId }) => fileDeletions.deleteFiles(jobId)))
      return expired.length > 0
    }, stop.signal)
    await evictCheckpoints(now)
    await rowCleanup(now, stop.signal)
  }

  /** Deletes only checkpoints: their bodies can be fetched again. Archives are kept until their expiry. */
  async function evictCheckpoints(now: number): Promise<void> {
    while (freeBytes(dir.archives) < KEPT_FREE_BYTES.evicting) {
      const job = transitions.evictCheckpoint(now)
      if (job === null) return
      live.changed(job)
      await fileDeletions.deleteFiles(job.jobId)
      log.warn('a checkpoint was deleted: the disk is nearly full', { job: job.jobId })
    }
  }

  async function sweepAndSchedule(): Promise<void> {
    try {
      await sweepNow()
      sweeps.noteSuccess()
    } catch (error) {
      sweeps.noteError(error)
    }
    if (timer !== null) timer = setTimeout(beginSweep, SWEEP_INTERVAL_MS)
  }

  function beginSweep(): void {
    sweeping = sweepAndSchedule()
  }

  return {
    start() {
      timer = setTimeout(beginSweep, FIRST_SWEEP_MS)
    },
    sweepNow,
    sweep,
    async [Symbol.asyncDispose]() {
      stop.abort()
      if (timer !== null) clearTimeout(timer)
      timer = null
      await sweeping
    },
  }
}
