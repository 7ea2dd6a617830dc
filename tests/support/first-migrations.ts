import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import journal from '../../drizzle/migrations/meta/_journal.json'
import { PROGRAM_FILES } from './service.ts'

/** The names of all migrations, oldest first. Each was the last one of some version. */
export const MIGRATIONS: readonly string[] = journal.entries.map(({ tag }) => tag)

/** Makes a directory of the first migrations, as an earlier version contained them. @returns its path */
export function firstMigrations(count: number, to: string): string {
  cpSync(PROGRAM_FILES.migrationsDir, to, { recursive: true })
  const entries = journal.entries.slice(0, count)
  writeFileSync(join(to, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  return to
}
