import type { Clock } from '../clock.ts'
import { inSteps } from '../db/in-steps.ts'
import { KEPT_FREE_BYTES } from '../files/free-space.ts'
import type { FileDeletions } from '../jobs/file-deletions.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { TransitionStore } from '../jobs/transition-store.ts'
import type { Log } from '../log.ts'
import { logChanges } from '../log-changes.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Upkeep } from './upkeep.ts'

export interface SweeperOptions {
  readonly transitions: TransitionStore
  readonly live: LiveProgress
  readonly fileDeletions: FileDeletions
  readonly upkeep: Upkeep
  readonly clock: Clock
  readonly clockWatch: ClockWatch
  /** On the disk of the archives. */
  freeBytes(): number
  readonly log: Log
}

/** Deletes what has expired. Downloads are refused by the clock alone; this only gives the space back. */
export interface Sweeper extends AsyncDisposable {
  /** Sweeps again and again until disposed of. */
  start(): void
  /** What is done each time: a sweep, or as much of it as the clock can be trusted with. */
  turn(): Promise<void>
  /** One sweep, as at `now`: rows first, bytes second, so that a crash between leaves no lie. */
  sweep(now: number): Promise<void>
}

/** One indexed query a time; an archive stays this long beyond its expiry at most. */
const SWEEP_INTERVAL_MS = 5_000

export function openSweeper(options: SweeperOptions): Sweeper {
  const { transitions, live, fileDeletions, upkeep, clock, clockWatch, log } = options
  const stop = new AbortController()
  let timer: Timer | null = null
  const sweeps = logChanges(log, 'the sweep of expired archives failed')
  let sweeping = Promise.resolve()

  async function turn(): Promise<void> {
    const now = clock()
    if (clockWatch.isTrusted()) return await sweep(now)
    await fileDeletions.deletePending()
    await makeRoom(now)
  }

  async function sweep(now: number): Promise<void> {
    await fileDeletions.deletePending()
    await inSteps(async () => {
      const expired = transitions.expire(now)
      for (const job of expired) live.changed(job)
      await Promise.all(expired.map(({ jobId }) => fileDeletions.deleteFiles(jobId)))
      return expired.length > 0
    }, stop.signal)
    await makeRoom(now)
    await upkeep(now, stop.signal)
  }

  /** Archives were promised until their expiry; what failed jobs have fetched can be fetched again. */
  async function makeRoom(now: number): Promise<void> {
    while (options.freeBytes() < KEPT_FREE_BYTES.evicting) {
      const job = transitions.evictCheckpoint(now)
      if (job === null) return
      live.changed(job)
      await fileDeletions.deleteFiles(job.jobId)
      log.warn('a checkpoint was dropped: the disk is nearly full', { job: job.jobId })
    }
  }

  async function sweepAndArm(): Promise<void> {
    try {
      await turn()
      sweeps.worked()
    } catch (error) {
      sweeps.failed(error)
    }
    if (timer !== null) timer = setTimeout(beginSweep, SWEEP_INTERVAL_MS)
  }

  function beginSweep(): void {
    sweeping = sweepAndArm()
  }

  return {
    start() {
      timer = setTimeout(beginSweep, 0)
    },
    turn,
    sweep,
    async [Symbol.asyncDispose]() {
      stop.abort()
      if (timer !== null) clearTimeout(timer)
      timer = null
      await sweeping
    },
  }
}
