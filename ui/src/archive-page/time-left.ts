/** The speed and progress of a job at one moment. */
export interface SpeedSample {
  readonly atMs: number
  readonly bytesPerSecond: number
  /** How much of the job was done at that moment, from 0 to 1. */
  readonly doneFraction: number
}

/** Estimates from the samples how long the rest of a job will take; null if there are too few samples. */
export function timeLeftMs(samples: readonly SpeedSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return null
  const elapsedMs = last.atMs - first.atMs
  const done = last.doneFraction - first.doneFraction
  // Less is done when a large file turns up.
  if (elapsedMs < MIN_SPAN_MS || done <= 0) return null
  return ((1 - last.doneFraction) * elapsedMs) / done
}

/** Estimates from a shorter time span would fluctuate. */
const MIN_SPAN_MS = 2_000
