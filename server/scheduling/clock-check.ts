import type { Log } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'

export interface ClockCheckOptions {
  readonly clock: Clock
  /** Milliseconds that only grow as time passes, whatever is done to the clock. */
  readonly monotonic: Clock
  /** Where the time is written down while the clock is trusted: the next start looks there. */
  readonly written: { read(): number | null; write(time: number): void }
  readonly log: Log
}

/** Says whether what is over by the clock may be deleted. */
export interface ClockCheck {
  /** To be asked again and again: false for an hour after the clock has jumped ahead. */
  isTrusted(): boolean
}

/** Further ahead than that, and it was no slow machine and no restart. */
const JUMP_MS = 5 * 60_000
/** How long somebody has to set the clock right. It counts while the service runs. */
const DISTRUST_MS = 60 * 60_000
const WRITE_EVERY_MS = 60_000

/**
 * Compares the clock with the monotonic one, and at the start with what the last run wrote down. After a jump nothing
 * more is written down, so that a start within the hour sees it again.
 */
export function openClockCheck({ clock, monotonic, written, log }: ClockCheckOptions): ClockCheck {
  const readAt = written.read()
  let last = readAt === null ? null : { clock: readAt, monotonic: monotonic() }
  let distrustedUntil: number | null = null
  let writtenAt: number | null = null

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
      if (writtenAt === null || now.monotonic - writtenAt >= WRITE_EVERY_MS) {
        written.write(now.clock)
        writtenAt = now.monotonic
      }
      return true
    },
  }
}
