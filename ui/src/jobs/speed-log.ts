import { type Accessor, createSignal } from 'solid-js'

export interface SpeedSample {
  readonly atMs: number
  readonly bytesPerSecond: number
  /** Entries that were done by then. */
  readonly doneEntries: number
}

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

/** Milliseconds until so many entries are done, as the last minute went; null while that can't be told. */
export function timeLeftMs(samples: readonly SpeedSample[], totalEntries: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return null
  const elapsedMs = last.atMs - first.atMs
  const done = last.doneEntries - first.doneEntries
  if (elapsedMs < MIN_WATCHED_MS || done < 1) return null
  return ((totalEntries - last.doneEntries) * elapsedMs) / done
}

/** Before that an estimate would jump about. */
const MIN_WATCHED_MS = 2_000
