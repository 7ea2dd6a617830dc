import type { Database as Sqlite } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'

/** Thrown when a migration that this program does not know was applied to the database. */
export class DatabaseIsNewer extends Error {
  override readonly name = 'DatabaseIsNewer'
}

/**
 * Applies the missing migrations in one exclusive transaction, so that several processes may open a new database at the
 * same time. A new database gets the tables of the first ones at once (decisions/0131). Foreign keys must be off, since a
 * migration rebuilds a table by dropping it.
 * @throws DatabaseIsNewer when a newer program has changed the database; then nothing is changed
 */
export function migrate(sqlite: Sqlite, migrationsDir: string): void {
  const migrations = readMigrationFiles({ migrationsFolder: migrationsDir })
  // Also checked before the lock, so that a command on a current database does not wait for another writer.
  if (missingOf(migrations, sqlite).length === 0) return
  const apply = sqlite.transaction(() => {
    const missing = missingOf(migrations, sqlite)
    let toApply = missing
    if (isEmpty(sqlite) && missing.length >= MIGRATIONS_IN_ONE) {
      sqlite.run(readFileSync(join(migrationsDir, 'new-database.sql'), 'utf8'))
      toApply = missing.slice(MIGRATIONS_IN_ONE)
    }
    for (const { sql } of toApply) {
      for (const statement of sql) sqlite.run(statement)
    }
    sqlite.run(CREATE_MIGRATIONS_TABLE)
    for (const { hash, folderMillis } of missing) {
      sqlite.run('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', [hash, folderMillis])
    }
  })
  apply.exclusive()
}

/** How many migrations `new-database.sql` replaces. */
const MIGRATIONS_IN_ONE = 16

/** @throws DatabaseIsNewer */
function missingOf(migrations: readonly MigrationMeta[], sqlite: Sqlite): MigrationMeta[] {
  const applied = appliedMigrations(sqlite)
  const known = new Set(migrations.map(({ folderMillis }) => folderMillis))
  if (applied.some((createdAt) => !known.has(createdAt))) {
    throw new DatabaseIsNewer(
      'A newer Holdall has changed the database of this data directory. Run that version, or choose another directory with --data.',
    )
  }
  return migrations.filter(({ folderMillis }) => !applied.includes(folderMillis))
}

function isEmpty(sqlite: Sqlite): boolean {
  return sqlite.query('SELECT 1 FROM sqlite_master').get() === null
}

/** The table that Drizzle's own migrator keeps. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS __drizzle_migrations
  (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`

/** The applied migrations, identified by the times at which they were created. */
function appliedMigrations(sqlite: Sqlite): number[] {
  const table = sqlite.query("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'").get()
  if (table === null) return []
  const rows = sqlite.query<{ at: number }, []>('SELECT created_at AS at FROM __drizzle_migrations').all()
  return rows.map(({ at }) => Number(at))
}
