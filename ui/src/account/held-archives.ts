import type { JobListItem } from '../api/types.ts'

const GB = 1e9

/** What lies on the disk of one's archives. */
export interface HeldSpace {
  readonly bytes: number
  readonly count: number
  /** The greatest first, a few of them. */
  readonly largest: readonly JobListItem[]
}

const LARGEST = 5

/**
 * Which of these jobs take space at this time, and how much: archives that are not expired, what running jobs have so
 * far, and what failed ones keep for another try.
 */
export function heldSpace(jobs: readonly JobListItem[], now: number): HeldSpace {
  const held = jobs.filter(({ zip_size, expires_at }) => {
    return zip_size > 0 && (expires_at === null || Date.parse(expires_at) > now)
  })
  return {
    bytes: held.reduce((sum, { zip_size }) => sum + zip_size, 0),
    count: held.length,
    largest: held.toSorted((one, other) => other.zip_size - one.zip_size).slice(0, LARGEST),
  }
}

/** What these bytes add to the month's usage on each day that they stay. */
export function gbDaysADay(bytes: number): number {
  return bytes / GB
}
