import { type Accessor, createSignal } from 'solid-js'
import type { SpeedSample } from './time-left.ts'

/** The speed of a job over the last minute, from the time when the page was opened. */
export interface SpeedHistory {
  readonly samples: Accessor<readonly SpeedSample[]>
  readonly record: (bytesPerSecond: number, doneFraction: number) => void
  readonly clear: () => void
}

export function createSpeedHistory(): SpeedHistory {
  const [samples, setSamples] = createSignal<readonly SpeedSample[]>([])
  return {
    samples,
    record(bytesPerSecond, doneFraction) {
      const sample = { atMs: performance.now(), bytesPerSecond, doneFraction }
      setSamples((samples) => {
        const kept = samples.filter(({ atMs }) => atMs >= sample.atMs - SPEED_WINDOW_MS)
        // The newest sample is always kept. The one before it is kept if it is not too close to its predecessor.
        const [beforeLast, last] = kept.slice(-2)
        const isTooClose = beforeLast && last && last.atMs - beforeLast.atMs < MIN_INTERVAL_MS
        return [...(isTooClose ? kept.slice(0, -1) : kept), sample]
      })
    },
    clear: () => setSamples([]),
  }
}

/** The time span that the speed chart shows. */
export const SPEED_WINDOW_MS = 60_000
/** The minimum time between two samples that are kept. More would not be visible in the chart. */
const MIN_INTERVAL_MS = 250
