import { createSignal } from 'solid-js'
import type { Entry } from '../api/types.ts'
import { type EntryCounts, type ShownStatus, statusOf } from './entry-status.ts'

/** A file on a map. Only a draft has duplicates. */
export type MapEntry = Omit<Entry, 'sha256'> & { readonly isDuplicate?: boolean }

/** The rows that a map shows. Reads are tracked. */
export interface EntryRows {
  rows(): readonly MapEntry[]
  counts(): EntryCounts
  /**
   * Calls `listener` at most once per frame, with the positions that changed, and those of them that have just changed at the
   * service, too.
   * @returns a function that unsubscribes the listener
   */
  onChange(listener: ChangeListener): () => void
}

export type ChangeListener = (positions: ReadonlySet<number>, news: ReadonlySet<number>) => void

/**
 * One row per URL of a job. Thousands of rows may change per second, so the rows are plain objects behind a single
 * signal, which is updated at most once per frame. Reads are tracked. Row objects are replaced, never mutated.
 */
export interface EntryTable extends EntryRows {
  rows(): readonly Entry[]
  /** Whether the rows have been set. */
  isFilled(): boolean
  /** Sets the URLs of the job. A row whose URL is new or has changed becomes a waiting row. */
  setUrls(urls: readonly string[]): void
  /** @param areNews they have just changed, and were not only loaded */
  update(entries: readonly Entry[], areNews?: boolean): void
  /** How much of the files that are being fetched has arrived. */
  arrivingBytes(): number
}

export function createEntryTable(): EntryTable {
  const rows: Entry[] = []
  let changed = new Set<number>()
  let news = new Set<number>()
  const listeners = new Set<ChangeListener>()
  const [version, setVersion] = createSignal(0)
  const [isFilled, setFilled] = createSignal(false)
  const counts: Record<ShownStatus, number> = { waiting: 0, fetching: 0, stored: 0, check: 0, failed: 0 }
  let arrivingBytes = 0

  function set(entry: Entry): void {
    const previous = rows[entry.position]
    if (previous !== undefined && isSame(previous, entry)) return
    if (previous !== undefined) count(previous, -1)
    count(entry, 1)
    rows[entry.position] = entry
    if (changed.size === 0) requestAnimationFrame(notify)
    changed.add(entry.position)
  }

  function count(entry: Entry, sign: 1 | -1): void {
    const { status, size } = entry
    counts[statusOf(entry)] += sign
    if (status === 'fetching') arrivingBytes += sign * size
  }

  function notify(): void {
    const [positions, newPositions] = [changed, news]
    changed = new Set()
    news = new Set()
    setVersion((version) => version + 1)
    for (const listener of listeners) listener(positions, newPositions)
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
    arrivingBytes() {
      version()
      return arrivingBytes
    },
    isFilled,
    setUrls(urls) {
      setFilled(true)
      urls.forEach((url, position) => {
        if (rows[position]?.url !== url) set(waitingEntry(position, url))
      })
    },
    update(entries, areNews = false) {
      for (const entry of entries) {
        if (entry.position >= rows.length) continue
        set(entry)
        if (areNews) news.add(entry.position)
      }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function waitingEntry(position: number, url: string): Entry {
  return {
    position,
    url,
    name: null,
    size: 0,
    expected_size: null,
    sha256: null,
    status: 'waiting',
    error: null,
    warning: null,
  }
}

function isSame(a: Entry, b: Entry): boolean {
  return (
    a.status === b.status &&
    a.size === b.size &&
    a.expected_size === b.expected_size &&
    a.name === b.name &&
    a.error === b.error &&
    a.warning?.message === b.warning?.message &&
    a.change === b.change &&
    a.url === b.url
  )
}
