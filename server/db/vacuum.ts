import type { Database as Sqlite } from 'bun:sqlite'

/** Allows the space of deleted rows to be returned to the disk. Takes effect before the first write, or at the next `VACUUM`. */
export const USE_INCREMENTAL_VACUUM = 'PRAGMA auto_vacuum = INCREMENTAL'

/** Pages per step: a quarter of a megabyte, which takes one or two milliseconds. */
const PAGES_PER_STEP = 64

/** Free pages that are kept for future rows. */
const KEPT_FREE_PAGES = 1_024

/** Databases up to this size are converted at a start, which takes a few seconds. */
const MAX_CONVERTED_BYTES = 256 * 1024 * 1024

/** Returns some of the space of deleted rows to the disk; false when there is no more to return. */
export function vacuumSome(sqlite: Sqlite): boolean {
  if (pragma(sqlite, 'freelist_count') <= KEPT_FREE_PAGES) return false
  sqlite.query(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`).all()
  return true
}

/**
 * Converts a database of an earlier version, so that it can return space to the disk. SQLite rewrites the whole database,
 * to a temporary file and to the journal, which needs free space.
 * @param freeBytes free space on its disk
 * @returns false when the database is too large
 */
export function enableVacuum(sqlite: Sqlite, freeBytes: number): boolean {
  if (pragma(sqlite, 'auto_vacuum') === INCREMENTAL) return true
  const sizeBytes = pragma(sqlite, 'page_count') * pragma(sqlite, 'page_size')
  if (sizeBytes > MAX_CONVERTED_BYTES || 3 * sizeBytes > freeBytes) return false
  sqlite.run(USE_INCREMENTAL_VACUUM)
  sqlite.run('VACUUM')
  return true
}

const INCREMENTAL = 2

function pragma(sqlite: Sqlite, name: 'freelist_count' | 'auto_vacuum' | 'page_count' | 'page_size'): number {
  const row = sqlite.query<Record<string, number>, []>(`PRAGMA ${name}`).get()
  return row?.[name] ?? 0
}
