import type { Clock } from '../time/clock.ts'

/** The rate of a growing count over the last seconds: long enough for a steady value, short enough to show a stall. */
export interface RateMeter {
  /** Records the total so far. */
  record(count: number): void
  perSecond(): number
}

const WINDOW_MS = 3_000

export function openRateMeter(monotonic: Clock): RateMeter {
  const readings = [{ at: monotonic(), count: 0 }]
  return {
    record(count) {
      readings.push({ at: monotonic(), count })
      forgetBefore(monotonic() - WINDOW_MS)
    },
    perSecond() {
      const now = monotonic()
      forgetBefore(now - WINDOW_MS)
      const [first] = readings
      const last = readings.at(-1)
      if (first === undefined || last === undefined || now <= first.at) return 0
      return Math.round(((last.count - first.count) * 1000) / Math.max(now - first.at, 1))
    },
  }

  /** Keeps the last reading before the window: the window begins with its count. */
  function forgetBefore(time: number): void {
    while ((readings[1]?.at ?? Number.POSITIVE_INFINITY) <= time) readings.shift()
  }
}
