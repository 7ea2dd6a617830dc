import type { Entry } from '../api/types.ts'
import { entriesCopy } from '../language/english/entries.ts'

/** The status of an entry as shown to users: `check` is split from `stored`, for files with a warning. */
export type EntryStatus = Entry['status'] | 'check'

/** The statuses of an entry, in display order. */
export const ENTRY_STATUSES = ['waiting', 'fetching', 'stored', 'check', 'failed'] as const

export const STATUS_LABELS: Readonly<Record<EntryStatus, string>> = entriesCopy.statuses

export type EntryCounts = Readonly<Record<EntryStatus, number>>

export function statusOf({ status, warning }: Pick<Entry, 'status' | 'warning'>): EntryStatus {
  return status === 'stored' && warning !== null ? 'check' : status
}
