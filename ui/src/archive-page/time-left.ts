/** The speed and progress of a job at one moment. */
export interface SpeedSample {
  readonly atMs: number
  readonly bytesPerSecond: number
  /** The number of entries that were stored or had failed at that moment. */
  readonly doneEntries: number
}

/** Estimates from the samples how long `totalEntries` will take; null if there are too few samples. */
export function timeLeftMs(samples: readonly SpeedSample[], totalEntries: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return null
  const elapsedMs = last.atMs - first.atMs
  const done = last.doneEntries - first.doneEntries
  if (elapsedMs < MIN_SPAN_MS || done < 1) return null
  return ((totalEntries - last.doneEntries) * elapsedMs) / done
}

/** Estimates from a shorter time span would fluctuate. */
const MIN_SPAN_MS = 2_000
