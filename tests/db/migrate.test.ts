import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import journal from '../../drizzle/migrations/meta/_journal.json'
import { DatabaseIsNewer } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { withLaterMigration } from '../support/later-migration.ts'
import { linesOf } from '../support/lines-of.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const ADD_COLUMN =
  'ALTER TABLE `jobs` ADD `added_later` text;--> statement-breakpoint\nCREATE INDEX `by_added_later` ON `jobs` (`added_later`);'
const BROKEN =
  'ALTER TABLE `jobs` ADD `added_later` text;--> statement-breakpoint\nINSERT INTO `nowhere` VALUES (1);'

function columnsOf(path: string): unknown[] {
  using sqlite = new Sqlite(path, { readonly: true })
  return sqlite.query("SELECT name FROM pragma_table_info('jobs')").values().flat()
}

test('a migration that a later version adds is applied once, also when several processes open the database at the same time', async () => {
  using dir = tempDir()
  const [path, added] = [dir.file('holdall.db'), withLaterMigration(dir.file('migrations'), ADD_COLUMN)]
  openDatabase(path, PROGRAM_FILES.migrationsDir)[Symbol.dispose]()
  const opener = join(import.meta.dir, '../support/open-database.ts')
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, opener, path, added], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' }),
  )
  // Each waits for its standard input, so that all of them open it together.
  for (const { stdout } of children) await linesOf(stdout).next()
  for (const { stdin } of children) stdin.end()
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0, 0])
  expect(columnsOf(path)).toContain('added_later')
  using sqlite = new Sqlite(path, { readonly: true })
  expect(sqlite.query('SELECT created_at FROM __drizzle_migrations ORDER BY 1').values()).toEqual(
    [...journal.entries.map(({ when }) => when), 9_999_999_999_999].map((when) => [when]),
  )
})

test('a migration that fails changes nothing, and neither do those before it', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  openDatabase(path, PROGRAM_FILES.migrationsDir)[Symbol.dispose]()
  expect(() => openDatabase(path, withLaterMigration(dir.file('broken'), BROKEN))).toThrow()
  expect(columnsOf(path)).not.toContain('added_later')
  expect(() => openDatabase(dir.file('new.db'), dir.file('broken'))).toThrow()
  using sqlite = new Sqlite(dir.file('new.db'), { readonly: true })
  expect(sqlite.query('SELECT name FROM sqlite_master').all()).toEqual([])
})

test('a database that a later version has changed is refused', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  openDatabase(path, withLaterMigration(dir.file('migrations'), ADD_COLUMN))[Symbol.dispose]()
  expect(() => openDatabase(path, PROGRAM_FILES.migrationsDir)).toThrow(DatabaseIsNewer)
})
