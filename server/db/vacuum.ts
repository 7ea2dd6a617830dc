import type { Database as Sqlite } from 'bun:sqlite'

/** Pages given back in one step: a quarter of a megabyte, a millisecond or two. */
const PAGES_A_STEP = 64

/** So many free pages are kept for the rows to come. */
const KEPT_PAGES = 1_024

/** A database up to this size is converted at a start: that takes a few seconds. */
const MAX_CONVERTED_BYTES = 256 * 1024 * 1024

/** Gives some of the space of deleted rows back to the disk; false when there is no more to give. */
export function vacuumSome(sqlite: Sqlite): boolean {
  if (pragma(sqlite, 'freelist_count') <= KEPT_PAGES) return false
  sqlite.query(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`).all()
  return true
}

/**
 * Converts a database that was made before it could give space back. It is written anew, once as a temporary file and
 * once into the journal, and needs that much room.
 * @param freeBytes room on its disk
 * @returns false when it is too large for that
 */
export function enableVacuum(sqlite: Sqlite, freeBytes: number): boolean {
  if (pragma(sqlite, 'auto_vacuum') === INCREMENTAL) return true
  const sizeBytes = pragma(sqlite, 'page_count') * pragma(sqlite, 'page_size')
  if (sizeBytes > MAX_CONVERTED_BYTES || 3 * sizeBytes > freeBytes) return false
  sqlite.run('PRAGMA auto_vacuum = INCREMENTAL')
  sqlite.run('VACUUM')
  return true
}

const INCREMENTAL = 2

function pragma(sqlite: Sqlite, name: 'freelist_count' | 'auto_vacuum' | 'page_count' | 'page_size'): number {
  const row = sqlite.query<Record<string, number>, []>(`PRAGMA ${name}`).get()
  return row?.[name] ?? 0
}
