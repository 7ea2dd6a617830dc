import type { Entry } from '../api/types.ts'
import { entriesCopy } from '../language/english/entries.ts'

/** The status of an entry as shown to users: `check` is split from `stored`, for files with a warning. */
export type ShownStatus = Entry['status'] | 'check'

/** The statuses of an entry, in display order. */
export const SHOWN_STATUSES = ['waiting', 'fetching', 'stored', 'check', 'failed'] as const

export const STATUS_LABELS: Readonly<Record<ShownStatus, string>> = entriesCopy.statuses

export type EntryCounts = Readonly<Record<ShownStatus, number>>

export function statusOf({ status, warning }: Pick<Entry, 'status' | 'warning'>): ShownStatus {
  return status === 'stored' && warning !== null ? 'check' : status
}
