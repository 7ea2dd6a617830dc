import type { Database as Sqlite } from 'bun:sqlite'
import { readMigrationFiles } from 'drizzle-orm/migrator'

/** Thrown when a migration that this program does not know was applied to the database. */
export class DatabaseIsNewer extends Error {
  override readonly name = 'DatabaseIsNewer'
}

/**
 * Applies the missing migrations in one exclusive transaction, so that several processes may open a new database at the
 * same time. Foreign keys must be off, since a migration rebuilds a table by dropping it.
 * @throws DatabaseIsNewer when a newer program has changed the database; then nothing is changed
 */
export function migrate(sqlite: Sqlite, migrationsDir: string): void {
  const migrations = readMigrationFiles({ migrationsFolder: migrationsDir })
  const missing = () => {
    const applied = appliedMigrations(sqlite)
    const known = new Set(migrations.map(({ folderMillis }) => folderMillis))
    if (applied.some((createdAt) => !known.has(createdAt))) {
      throw new DatabaseIsNewer(
        'A newer Holdall has changed the database of this data directory. Run that version, or choose another directory with --data.',
      )
    }
    return migrations.filter(({ folderMillis }) => !applied.includes(folderMillis))
  }
  // Also checked before the lock, so that a command on a current database does not wait for another writer.
  if (missing().length === 0) return
  const apply = sqlite.transaction(() => {
    sqlite.run(CREATE_MIGRATIONS_TABLE)
    for (const { sql, hash, folderMillis } of missing()) {
      for (const statement of sql) sqlite.run(statement)
      sqlite.run('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', [hash, folderMillis])
    }
  })
  apply.exclusive()
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
