import { type Accessor, createSignal } from 'solid-js'
import type { SpeedSample } from './time-left.ts'

/** How fast a job was over the last minute, as far as it was watched. */
export interface SpeedLog {
  readonly samples: Accessor<readonly SpeedSample[]>
  readonly record: (bytesPerSecond: number, doneEntries: number) => void
  readonly clear: () => void
}

/** What the line of speed shows. */
export const SPEED_WINDOW_MS = 60_000
/** Finer steps would not be seen. */
const MIN_STEP_MS = 250

export function createSpeedLog(now: () => number = () => performance.now()): SpeedLog {
  const [samples, setSamples] = createSignal<readonly SpeedSample[]>([])
  return {
    samples,
    record(bytesPerSecond, doneEntries) {
      const sample = { atMs: now(), bytesPerSecond, doneEntries }
      setSamples((samples) => {
        const kept = samples.filter(({ atMs }) => atMs >= sample.atMs - SPEED_WINDOW_MS)
        // The newest sample always stands; the one before it is kept when it is far enough from its own.
        const [beforeLast, last] = kept.slice(-2)
        const isDense = beforeLast && last && last.atMs - beforeLast.atMs < MIN_STEP_MS
        return [...(isDense ? kept.slice(0, -1) : kept), sample]
      })
    },
    clear: () => setSamples([]),
  }
}
