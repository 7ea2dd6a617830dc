import type { Entry } from '../../api/types.ts'

export type EntryStatus = Entry['status']

/** The states of an entry, in the order in which they are told. */
export const ENTRY_STATUSES = ['waiting', 'fetching', 'stored', 'failed'] as const

export const STATUS_WORDS: Readonly<Record<EntryStatus, string>> = {
  waiting: 'Waiting',
  fetching: 'Fetching',
  stored: 'Stored',
  failed: 'Failed',
}

export type EntryCounts = Readonly<Record<EntryStatus, number>>
