import type { Clock } from '../time/clock.ts'

/** Speed of something that is counted, over the last seconds: long enough to be steady, short enough to show a stall. */
export interface RateMeter {
  /** The count so far, which only grows. */
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

  /** The last reading before the window stays: what came after it came within the window. */
  function forgetBefore(time: number): void {
    while ((readings[1]?.at ?? Number.POSITIVE_INFINITY) <= time) readings.shift()
  }
}
