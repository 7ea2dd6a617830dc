import type { Log } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'

export interface ClockCheckOptions {
  readonly clock: Clock
  /** Not changed when the clock is set. */
  readonly monotonic: Clock
  /** Keeps the time while the clock is trusted, for the next start. */
  readonly lastTrusted: { read(): number | null; write(time: number): void }
  readonly log: Log
}

/** Decides whether the clock may be used to delete what has expired. */
export interface ClockCheck {
  /** False for an hour after the clock has jumped ahead. Call it regularly, since it compares the times of its calls. */
  isTrusted(): boolean
}

/** More than a slow machine or a restart explains. */
const JUMP_MS = 5 * 60_000
/** How long an administrator has to set the clock right. Only time while the service runs counts. */
const DISTRUST_MS = 60 * 60_000
const WRITE_EVERY_MS = 60_000

/**
 * Compares the clock with the monotonic one, and at a start with the time that the last run has kept. After a jump it keeps
 * no time for an hour, so that a start within that hour detects the same jump again.
 */
export function openClockCheck({ clock, monotonic, lastTrusted, log }: ClockCheckOptions): ClockCheck {
  const keptTime = lastTrusted.read()
  let last = keptTime === null ? null : { clock: keptTime, monotonic: monotonic() }
  let distrustedUntil: number | null = null
  let keptAt: number | null = null

  return {
    isTrusted() {
      const now = { clock: clock(), monotonic: monotonic() }
      const passedMs = last === null ? 0 : now.monotonic - last.monotonic
      const aheadMs = last === null ? 0 : now.clock - last.clock - passedMs
      last = now
      if (aheadMs > JUMP_MS) {
        distrustedUntil = now.monotonic + DISTRUST_MS
        log.warn('the clock is ahead of what was expected: nothing is deleted by it for an hour', {
          aheadSeconds: Math.round(aheadMs / 1_000),
        })
      }
      if (distrustedUntil !== null) {
        if (now.monotonic < distrustedUntil) return false
        distrustedUntil = null
        log.info('what has expired by the clock is deleted again')
      }
      if (keptAt === null || now.monotonic - keptAt >= WRITE_EVERY_MS) {
        lastTrusted.write(now.clock)
        keptAt = now.monotonic
      }
      return true
    },
  }
}
