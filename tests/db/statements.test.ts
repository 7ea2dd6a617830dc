import { Database as Sqlite } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../server/db/open.ts'
import { forFile } from '../support/for-file.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dir, '../..')
const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))

const FILES = await Promise.all(
  [...new Bun.Glob('server/**/*.ts').scanSync(ROOT)]
    .filter((path) => !path.startsWith('server/db/'))
    .toSorted()
    .map(async (path) => ({ path, text: await Bun.file(join(ROOT, path)).text() })),
)
/** Where a file prepares a statement: of plain SQL, or one that Drizzle has built. */
const PREPARES = /\.prepare(?:Write)?[<(]/
const STORES = FILES.filter(({ text }) => text.includes('/db/open.ts') && PREPARES.test(text))

/**
 * SQLite checks a statement against the tables when it is prepared, and the compiler does not check plain SQL. What Drizzle builds in
 * a transaction is not prepared here: the compiler checks its columns against the schema, and `schema.test.ts` the schema.
 */
test.each(STORES)('opening $path prepares all of its statements', async ({ path, text }) => {
  using prepared = spyOn(Sqlite.prototype, 'prepare')
  const exported: Readonly<Record<string, unknown>> = await import(join(ROOT, path))
  for (const [name, open] of Object.entries(exported))
    if (name.startsWith('open') && typeof open === 'function') Reflect.apply(open, undefined, [db])
  expect(prepared.mock.calls.length).toBeGreaterThanOrEqual(text.split(PREPARES).length - 1)
})

test('only stores prepare statements', () => {
  expect(STORES.filter(({ path }) => !path.endsWith('-store.ts')).map(({ path }) => path)).toEqual([])
  expect(STORES.length).toBeGreaterThan(10)
})
