import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import journal from '../../drizzle/migrations/meta/_journal.json'
import { PROGRAM_FILES } from './service.ts'

/** Makes a directory with all migrations, and one that a later version adds. @returns its path */
export function withLaterMigration(to: string, text: string): string {
  cpSync(PROGRAM_FILES.migrationsDir, to, { recursive: true })
  writeFileSync(join(to, '9999_later.sql'), text)
  const later = { idx: 9_999, version: '6', when: 9_999_999_999_999, tag: '9999_later', breakpoints: true }
  writeFileSync(
    join(to, 'meta/_journal.json'),
    JSON.stringify({ ...journal, entries: [...journal.entries, later] }),
  )
  return to
}
