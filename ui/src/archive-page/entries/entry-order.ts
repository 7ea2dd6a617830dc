import type { Entry } from '../../api/types.ts'
import { type ShownStatus, statusOf } from '../../map/entry-status.ts'

export type ShownEntries = ShownStatus | 'all' | 'changed'
export type SortKey = 'position' | 'size' | 'status'

export interface EntrySort {
  readonly key: SortKey
  readonly descending: boolean
}

/** Returns the positions of the entries that match the filter, sorted. Ties are in the order of position. */
export function orderEntries(rows: readonly Entry[], filter: ShownEntries, sort: EntrySort): number[] {
  const shown = rows.filter((entry) => passes(entry, filter))
  const sign = sort.descending ? -1 : 1
  if (sort.key === 'size') shown.sort((a, b) => sign * (a.size - b.size) || a.position - b.position)
  if (sort.key === 'status') shown.sort((a, b) => sign * (rankOf(a) - rankOf(b)) || a.position - b.position)
  if (sort.key === 'position' && sort.descending) shown.reverse()
  return shown.map(({ position }) => position)
}

/** The sort after a click on a column: largest size first, otherwise ascending. A second click reverses it. */
export function nextSort(sort: EntrySort, key: SortKey): EntrySort {
  return { key, descending: sort.key === key ? !sort.descending : key === 'size' }
}

/** Whether an entry of a run differs from the archive before. */
export function isChanged({ change }: Entry): boolean {
  return change !== undefined && change !== 'unchanged'
}

function passes(entry: Entry, filter: ShownEntries): boolean {
  if (filter === 'all') return true
  return filter === 'changed' ? isChanged(entry) : statusOf(entry) === filter
}

function rankOf(entry: Entry): number {
  return STATUS_RANK[statusOf(entry)]
}

/** Statuses that need attention come first. */
const STATUS_RANK: Readonly<Record<ShownStatus, number>> = {
  failed: 0,
  check: 1,
  fetching: 2,
  waiting: 3,
  stored: 4,
}
