import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { openDatabase } from '../../server/db/open.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const open = (path: string) => openDatabase(path, PROGRAM_FILES.migrationsDir)

test('a new database is the same as one that SQLite creates in an empty file', () => {
  using dir = tempDir()
  const [path, empty] = [dir.file('new.db'), dir.file('empty.db')]
  writeFileSync(empty, '', { mode: 0o600 })
  const found = [path, empty].map((each) => {
    open(each)[Symbol.dispose]()
    using sqlite = new Sqlite(each, { strict: true })
    const pragma = (name: string) => sqlite.query(`PRAGMA ${name}`).values()[0]?.[0]
    return {
      objects: sqlite.query('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name').values(),
      migrations: sqlite.query('SELECT hash, created_at FROM __drizzle_migrations').values(),
      vacuum: pragma('auto_vacuum'),
      journal: pragma('journal_mode'),
      pageBytes: pragma('page_size'),
      integrity: pragma('integrity_check'),
      mode: statSync(each).mode & 0o777,
    }
  })
  expect(found[0]).toEqual(found[1])
  expect(found[0]).toMatchObject({ vacuum: 2, journal: 'wal', integrity: 'ok', mode: 0o600 })
  expect(readdirSync(dir.path).toSorted()).toEqual(['empty.db', 'new.db'])
})

test('a new database takes nothing from the log of a lost one', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  {
    using lost = open(path)
    lost.durably(() =>
      lost.prepare("INSERT INTO users (id, name, plan, created_at) VALUES ('x', 'ann', 'free', 1)").run({}),
    )
    copyFileSync(`${path}-wal`, dir.file('kept'))
  }
  rmSync(path)
  copyFileSync(dir.file('kept'), `${path}-wal`)
  using database = open(path)
  expect(database.prepare('SELECT name FROM users').all({})).toEqual([])
  expect(database.prepare('PRAGMA integrity_check').get({})).toEqual({ integrity_check: 'ok' })
})

test('opening a database that is up to date writes nothing', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  open(path)[Symbol.dispose]()
  using _opened = open(path)
  expect(statSync(`${path}-wal`).size).toBe(0)
})
