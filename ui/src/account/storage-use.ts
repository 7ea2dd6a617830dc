import type { JobListItem } from '../api/types.ts'

/** The disk space of a user's archives. */
export interface StorageUse {
  readonly bytes: number
  readonly count: number
  /** The five largest archives, largest first. */
  readonly largest: readonly JobListItem[]
}

/**
 * Sums up the jobs that take disk space at `now`: finished archives that have not expired, running jobs with the bytes that
 * they have stored so far, and failed jobs whose checkpoint is kept for a retry.
 */
export function storageUse(jobs: readonly JobListItem[], now: number): StorageUse {
  const stored = jobs.filter(({ zip_size, expires_at }) => {
    return zip_size > 0 && (expires_at === null || Date.parse(expires_at) > now)
  })
  return {
    bytes: stored.reduce((sum, { zip_size }) => sum + zip_size, 0),
    count: stored.length,
    largest: stored.toSorted((a, b) => b.zip_size - a.zip_size).slice(0, LARGEST_COUNT),
  }
}

/** The GB-days that these bytes add to the month's usage per day. */
export function gbDaysPerDay(bytes: number): number {
  return bytes / GB_BYTES
}

/** In bytes: decimal, as the service counts GB-days. */
const GB_BYTES = 1e9
/** As many as fit on a screen. They are the ones that are worth deleting. */
const LARGEST_COUNT = 5
