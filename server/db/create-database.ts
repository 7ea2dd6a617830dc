import { Database as Sqlite } from 'bun:sqlite'
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncDirectory } from '../files/durable.ts'
import { createPrivately, PRIVATE_FILE } from '../files/private-file.ts'
import { migrate } from './migrate.ts'
import { USE_INCREMENTAL_VACUUM } from './vacuum.ts'

/**
 * Creates the file of a database, with all tables, if there is none. Several processes may do so at once: a file appears whole, and
 * never replaces another one.
 *
 * SQLite would create it in three transactions, with eight syncs. It still does, in an empty file, where files
 * can't have two names (exFAT), and next to a log or journal that a lost database has left: only SQLite can tell what that belongs to.
 */
export function createDatabase(path: string, migrationsDir: string): void {
  if (existsSync(path)) return
  const isAlone = !existsSync(`${path}-wal`) && !existsSync(`${path}-journal`)
  if (!isAlone || !createWhole(path, newDatabase(migrationsDir))) createPrivately(path)
}

/** The bytes of a database with a write-ahead log. */
function newDatabase(migrationsDir: string): Uint8Array {
  using sqlite = new Sqlite(':memory:', { strict: true })
  sqlite.run(USE_INCREMENTAL_VACUUM)
  migrate(sqlite, migrationsDir)
  const bytes = sqlite.serialize()
  bytes.set([WRITE_AHEAD_LOG, WRITE_AHEAD_LOG], FILE_FORMAT_VERSIONS)
  return bytes
}

/** Where the header of a database has its write version and its read version (SQLite database file format, section 1.3.3). */
const FILE_FORMAT_VERSIONS = 18
const WRITE_AHEAD_LOG = 2

/** Returns false, without having done anything, when the file exists by now, or can't be created in this way. */
function createWhole(path: string, bytes: Uint8Array): boolean {
  // Random, so that no other process writes to it.
  const temporary = `${path}.${crypto.randomUUID()}.new`
  try {
    writeFileSync(temporary, bytes, { mode: PRIVATE_FILE, flag: 'wx', flush: true })
    linkSync(temporary, path)
  } catch {
    // SQLite reports its own error if it can't create the file either.
    return false
  } finally {
    rmSync(temporary, { force: true })
  }
  syncDirectory(dirname(path))
  return true
}
