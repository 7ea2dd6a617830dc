import type { Database as Sqlite } from 'bun:sqlite'

/** Allows the space of deleted rows to be returned to the disk. Takes effect before the first write only. */
export const USE_INCREMENTAL_VACUUM = 'PRAGMA auto_vacuum = INCREMENTAL'

/** Pages per step: a quarter of a megabyte, which takes one or two milliseconds. */
const PAGES_PER_STEP = 64

/** Free pages that are kept for future rows. */
const KEPT_FREE_PAGES = 1_024

/** Returns some of the space of deleted rows to the disk; false when there is no more to return. */
export function vacuumSome(sqlite: Sqlite): boolean {
  const free =
    sqlite.query<{ freelist_count: number }, []>('PRAGMA freelist_count').get()?.freelist_count ?? 0
  if (free <= KEPT_FREE_PAGES) return false
  sqlite.query(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`).all()
  // The file itself becomes shorter only now. Without the last step, that could be hours later, with other rows.
  if (free - PAGES_PER_STEP <= KEPT_FREE_PAGES) sqlite.query('PRAGMA wal_checkpoint(PASSIVE)').all()
  return true
}
