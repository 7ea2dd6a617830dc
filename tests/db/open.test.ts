import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, rmSync, statSync } from 'node:fs'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const open = (path: string) => openDatabase(path, PROGRAM_FILES.migrationsDir)

test('a new database is private, has a log, and can return space to the disk', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  open(path)[Symbol.dispose]()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  using sqlite = new Sqlite(path, { strict: true })
  const pragma = (name: string) => sqlite.query(`PRAGMA ${name}`).values()[0]?.[0]
  expect(['auto_vacuum', 'journal_mode', 'integrity_check'].map(pragma)).toEqual([2, 'wal', 'ok'])
})

test('a new database takes nothing from the log of a lost one', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  {
    using lost = open(path)
    openAccountStore(lost).createUser('ann', 'free', 1)
    copyFileSync(`${path}-wal`, dir.file('kept'))
  }
  rmSync(path)
  copyFileSync(dir.file('kept'), `${path}-wal`)
  using database = open(path)
  expect(openAccountStore(database).listUsers()).toEqual([])
  expect(database.prepare('PRAGMA integrity_check').get({})).toEqual({ integrity_check: 'ok' })
})

test('opening a database that is up to date writes nothing', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  open(path)[Symbol.dispose]()
  using _opened = open(path)
  expect(statSync(`${path}-wal`).size).toBe(0)
})

test.each(['transaction', 'durably', 'freeing'] as const)(
  '%s inside a transaction throws, and the transaction changes nothing',
  (inner) => {
    using dir = tempDir()
    using db = open(dir.file('holdall.db'))
    const accounts = openAccountStore(db)
    const addUser = db.prepareWrite<null, Record<string, never>>(
      "INSERT INTO users (id, name, plan, created_at) VALUES ('x', 'ann', 'free', 1)",
    )
    for (const outer of ['transaction', 'durably', 'freeing'] as const) {
      const nested = () =>
        db[outer]((tx) => {
          addUser.run(tx, {})
          db[inner](() => {})
        })
      expect(nested).toThrow('a transaction is open')
      expect(accounts.listUsers()).toEqual([])
    }
    expect(accounts.createUser('bob', 'free', 1)).toMatchObject({ name: 'bob' })
  },
)

test('a statement of a transaction that has ended throws, and changes nothing', () => {
  using dir = tempDir()
  using db = open(dir.file('holdall.db'))
  const addUser = db.prepareWrite<null, Record<string, never>>(
    "INSERT INTO users (id, name, plan, created_at) VALUES ('x', 'ann', 'free', 1)",
  )
  const ended = db.transaction((tx) => tx)
  for (const method of ['run', 'get', 'all'] as const)
    expect(() => addUser[method](ended, {})).toThrow('the transaction has ended')
  expect(openAccountStore(db).listUsers()).toEqual([])
})
