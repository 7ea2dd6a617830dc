import { createSignal } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import type { EntryCounts, EntryStatus } from './entry-status.ts'

/**
 * A row for each URL of a job, thousands of which may change in a second: plain rows, and one signal that is renewed
 * at most once a frame. Reads are tracked; row objects are replaced, never changed.
 */
export interface EntryTable {
  rows(): readonly Entry[]
  counts(): EntryCounts
  /** Makes a waiting row of each URL that is not the row's already. */
  begin(urls: readonly string[]): void
  put(entries: readonly Entry[]): void
  /** Calls `listener` with the positions that changed, once a frame, until the returned function is called. */
  onChange(listener: (positions: ReadonlySet<number>) => void): () => void
}

export function createEntryTable(): EntryTable {
  const rows: Entry[] = []
  let changed = new Set<number>()
  const listeners = new Set<(positions: ReadonlySet<number>) => void>()
  const [version, setVersion] = createSignal(0)
  const counts: Record<EntryStatus, number> = { waiting: 0, fetching: 0, stored: 0, failed: 0 }

  function set(entry: Entry): void {
    const before = rows[entry.position]
    if (before !== undefined && isSame(before, entry)) return
    if (before !== undefined) counts[before.status] -= 1
    counts[entry.status] += 1
    rows[entry.position] = entry
    if (changed.size === 0) requestAnimationFrame(tell)
    changed.add(entry.position)
  }

  function tell(): void {
    const positions = changed
    changed = new Set()
    setVersion((version) => version + 1)
    for (const listener of listeners) listener(positions)
  }

  return {
    rows() {
      version()
      return rows
    },
    counts() {
      version()
      return { ...counts }
    },
    begin(urls) {
      urls.forEach((url, position) => {
        if (rows[position]?.url !== url) set(waiting(position, url))
      })
    },
    put(entries) {
      for (const entry of entries) if (entry.position < rows.length) set(entry)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function waiting(position: number, url: string): Entry {
  return { position, url, name: null, size: 0, status: 'waiting', error: null }
}

function isSame(one: Entry, other: Entry): boolean {
  return (
    one.status === other.status &&
    one.size === other.size &&
    one.name === other.name &&
    one.error === other.error &&
    one.url === other.url
  )
}
