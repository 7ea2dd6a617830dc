import { GIGABYTE } from './plan.ts'

/** One archive on disk, from when it was finished until its expiry or earlier deletion (milliseconds). */
export interface ArchiveStay {
  readonly sizeBytes: number
  readonly storedAt: number
  readonly removedAt: number
}

/** A calendar month in UTC; `to` is the first moment of the next one. */
export interface Month {
  /** As in `2026-07`. */
  readonly name: string
  readonly from: number
  readonly to: number
}

const DAY_MS = 86_400_000

export function monthOf(now: number): Month {
  const date = new Date(now)
  return {
    name: date.toISOString().slice(0, 7),
    from: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
    to: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  }
}

/** What the archives have used of the month up to now: the sum of size x days stored, in GB-days. */
export function gbDaysUsed(stays: Iterable<ArchiveStay>, month: Month, now: number): number {
  let byteMs = 0
  for (const stay of stays) {
    const storedMs = Math.min(stay.removedAt, month.to, now) - Math.max(stay.storedAt, month.from)
    byteMs += stay.sizeBytes * Math.max(0, storedMs)
  }
  return byteMs / GIGABYTE / DAY_MS
}
