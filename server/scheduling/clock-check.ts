import type { InstanceStore } from '../data/instance-store.ts'
import type { Log } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'

export interface ClockCheckOptions {
  readonly clock: Clock
  /** A clock that does not change when the system clock is set. */
  readonly monotonic: Clock
  /** Records the time while the clock is trusted, for the next start. */
  readonly instance: Pick<InstanceStore, 'trustedTime' | 'setTrustedTime'>
  readonly log: Log
}

/** Decides whether the clock may be used to delete what has expired. */
export interface ClockCheck {
  /** False for an hour after the clock has jumped ahead. Call it regularly, since it compares the times of its calls. */
  isTrusted(): boolean
}

/** Longer than a slow machine or a restart can explain. */
const JUMP_MS = 5 * 60_000
/** How long an administrator has to set the clock right. Only time while the service runs counts. */
const DISTRUST_MS = 60 * 60_000
const RECORD_INTERVAL_MS = 60_000

/**
 * Compares the system clock with the monotonic clock, and at a start with the time that the last run recorded. After a jump,
 * it records no time for an hour, so that a start within that hour detects the same jump again.
 */
export function openClockCheck({ clock, monotonic, instance, log }: ClockCheckOptions): ClockCheck {
  const recordedTime = instance.trustedTime()
  let last = recordedTime === null ? null : { clock: recordedTime, monotonic: monotonic() }
  let distrustedUntil: number | null = null
  let recordedAt: number | null = null

  return {
    isTrusted() {
      const now = { clock: clock(), monotonic: monotonic() }
      const passedMs = last === null ? 0 : now.monotonic - last.monotonic
      const aheadMs = last === null ? 0 : now.clock - last.clock - passedMs
      last = now
      if (aheadMs > JUMP_MS) {
        distrustedUntil = now.monotonic + DISTRUST_MS
        log.warn('the clock is ahead of the expected time: nothing that has expired is deleted for an hour', {
          aheadSeconds: Math.round(aheadMs / 1_000),
        })
      }
      if (distrustedUntil !== null) {
        if (now.monotonic < distrustedUntil) return false
        distrustedUntil = null
        log.info('the clock is trusted again: expired data is deleted')
      }
      if (recordedAt === null || now.monotonic - recordedAt >= RECORD_INTERVAL_MS) {
        instance.setTrustedTime(now.clock)
        recordedAt = now.monotonic
      }
      return true
    },
  }
}
