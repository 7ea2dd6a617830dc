import type { Database as Sqlite } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Thrown when a migration that this program does not know was applied to the database. */
export class DatabaseIsNewer extends Error {
  override readonly name = 'DatabaseIsNewer'
}

/**
 * Applies the missing migrations in one exclusive transaction: all of them or none, and each once, even when several
 * processes open the database at the same time. Drizzle's own migrator reads which are missing before its transaction begins,
 * so that one of two processes fails, and it does not refuse a newer database. Foreign keys must be off, since a migration
 * rebuilds a table by dropping it.
 * @throws DatabaseIsNewer when a newer program has changed the database; then nothing is changed
 */
export function migrate(sqlite: Sqlite, migrationsDir: string): void {
  const migrations = listMigrations(migrationsDir)
  // Also checked before the lock, so that a command on a current database does not wait for another writer.
  if (missingOf(migrations, sqlite).length === 0) return
  const apply = sqlite.transaction(() => {
    const missing = missingOf(migrations, sqlite)
    sqlite.run(CREATE_MIGRATIONS_TABLE)
    for (const { path, createdAtMs } of missing) {
      const text = readFileSync(path, 'utf8')
      for (const statement of text.split(BREAKPOINT)) sqlite.run(statement)
      const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex')
      sqlite.run('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', [hash, createdAtMs])
    }
  })
  apply.exclusive()
}

/** Between the statements of a migration that drizzle-kit has generated. */
const BREAKPOINT = '--> statement-breakpoint'

interface Migration {
  readonly path: string
  /** Identifies it. */
  readonly createdAtMs: number
}

/** The migrations that drizzle-kit has generated, oldest first. */
function listMigrations(dir: string): Migration[] {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    readFileSync(join(dir, 'meta/_journal.json'), 'utf8'),
  )
  return journal.entries.map(({ tag, when }) => ({ path: join(dir, `${tag}.sql`), createdAtMs: when }))
}

/** @throws DatabaseIsNewer */
function missingOf(migrations: readonly Migration[], sqlite: Sqlite): Migration[] {
  const applied = appliedMigrations(sqlite)
  const known = new Set(migrations.map(({ createdAtMs }) => createdAtMs))
  if (applied.some((createdAt) => !known.has(createdAt))) {
    throw new DatabaseIsNewer(
      'A newer Holdall has changed the database of this data directory. Run that version, or choose another directory with --data.',
    )
  }
  return migrations.filter(({ createdAtMs }) => !applied.includes(createdAtMs))
}

/** Whether the database has no tables. */
export function isEmpty(sqlite: Sqlite): boolean {
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
