import type { EntryChange } from '../vocabulary.ts'

// What columns of JSON say about schedules.

/** How many entries of a run differ from the archive before it, and how. */
export interface RunChanges extends Readonly<Record<EntryChange, number>> {
  /** The earliest time from which an entry was kept; null when none was. */
  readonly keptFrom: number | null
}

/** A schedule as the service has paused it. */
export interface PausedSchedule {
  readonly scheduleId: string
  readonly name: string
  /** As a sentence. */
  readonly reason: string
  readonly failedRuns: number
}
