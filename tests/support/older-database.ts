import { Database as Sqlite } from 'bun:sqlite'
import { cpSync, rmSync } from 'node:fs'
import { migrate } from '../../server/db/migrate.ts'
import { firstMigrations, MIGRATIONS } from './first-migrations.ts'
import { tempDir } from './temp-dir.ts'

/** The present names of tables that a migration has renamed, by their old names. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  archive_stays: 'retention_periods',
  discards: 'file_deletions',
}
/** Triggers and migrations fill these tables from others. */
const DERIVED = ['job_counts', 'usage_hours']

/**
 * Replaces a database by one with the same rows as the version whose last migration was `last` would have written it: with
 * the tables, columns and triggers of that version. No process may have it open.
 */
export function makeOlder(path: string, last: string): void {
  using dir = tempDir()
  const older = dir.file('older.db')
  using sqlite = new Sqlite(older, { create: true, strict: true })
  migrate(sqlite, firstMigrations(MIGRATIONS.indexOf(last) + 1, dir.file('migrations')))
  sqlite.run('ATTACH ? AS newer', [path])
  for (const table of tablesOf(sqlite, 'main')) {
    const source = OLD_NAMES[table] ?? table
    if (table === '__drizzle_migrations' || DERIVED.includes(table)) continue
    const known = columnsOf(sqlite, 'newer', source)
    const columns = columnsOf(sqlite, 'main', table).filter((column) => known.includes(column))
    const list = columns.map((column) => `"${column}"`).join(', ')
    sqlite.run(`DELETE FROM main."${table}"`)
    sqlite.run(`INSERT INTO main."${table}" (${list}) SELECT ${list} FROM newer."${source}"`)
  }
  sqlite.run('DETACH newer')
  sqlite.close()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  cpSync(older, path)
}

function tablesOf(sqlite: Sqlite, schema: string): string[] {
  const query = `SELECT name FROM ${schema}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  return sqlite
    .query<{ name: string }, []>(query)
    .all()
    .map(({ name }) => name)
}

function columnsOf(sqlite: Sqlite, schema: string, table: string): string[] {
  return sqlite
    .query<{ name: string }, []>(`PRAGMA ${schema}.table_info("${table}")`)
    .all()
    .map(({ name }) => name)
}
