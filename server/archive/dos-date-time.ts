/** A time as the headers of entries contain it (APPNOTE 4.4.6), in units of two seconds. */
export interface DosDateTime {
  readonly date: number
  readonly time: number
}

/** In UTC. Times outside the years 1980 to 2107 become the nearest time inside them. */
export function dosDateTime(epochMs: number): DosDateTime {
  const dosMs = Math.min(Math.max(epochMs, FIRST_MS), LAST_MS)
  const at = new Date(dosMs)
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

const FIRST_MS = Date.UTC(1980, 0, 1)
const LAST_MS = Date.UTC(2107, 11, 31, 23, 59, 58)
