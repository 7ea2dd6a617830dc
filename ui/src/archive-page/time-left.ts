/** How fast a job was at a moment. */
export interface SpeedSample {
  readonly atMs: number
  readonly bytesPerSecond: number
  /** Entries that were done by then. */
  readonly doneEntries: number
}

/** Before that an estimate would jump about. */
const MIN_WATCHED_MS = 2_000

/** Milliseconds until so many entries are done, as the last minute went; null while that can't be told. */
export function timeLeftMs(samples: readonly SpeedSample[], totalEntries: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return null
  const elapsedMs = last.atMs - first.atMs
  const done = last.doneEntries - first.doneEntries
  if (elapsedMs < MIN_WATCHED_MS || done < 1) return null
  return ((totalEntries - last.doneEntries) * elapsedMs) / done
}
