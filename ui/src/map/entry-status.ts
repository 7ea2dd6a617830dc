import type { Entry } from '../api/types.ts'

export type EntryStatus = Entry['status']

/** The statuses of an entry, in display order. */
export const ENTRY_STATUSES = ['waiting', 'fetching', 'stored', 'failed'] as const

export const STATUS_LABELS: Readonly<Record<EntryStatus, string>> = {
  waiting: 'Waiting',
  fetching: 'Fetching',
  stored: 'Done',
  failed: 'Failed',
}

export type EntryCounts = Readonly<Record<EntryStatus, number>>
