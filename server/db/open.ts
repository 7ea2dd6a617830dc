import { Database as Sqlite } from 'bun:sqlite'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'
import { createPrivately } from '../files/private-file.ts'
import { migrate } from './migrate.ts'

/** The one connection of a process to `holdall.db`. */
export interface Database extends Disposable {
  readonly orm: BunSQLiteDatabase
  /** Runs `work` in one transaction that survives the death of the process. It must be synchronous, without I/O. */
  transaction<T>(work: () => T): T
  /** The same for what must survive a loss of power, too: the commit waits for the disk. */
  durably<T>(work: () => T): T
  /** Whether a query of a table gets an answer. */
  works(): boolean
}

/** How long a statement waits for a command that writes to the same file at the moment. */
const BUSY_TIMEOUT_MS = 10_000

/** Opens the database, creates it on first use, and brings its tables up to date from `migrationsDir`. */
export function openDatabase(path: string, migrationsDir: string): Database {
  createPrivately(path)
  const sqlite = new Sqlite(path, { strict: true })
  sqlite.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  sqlite.run('PRAGMA journal_mode = WAL')
  sqlite.run('PRAGMA synchronous = NORMAL')
  sqlite.run('PRAGMA foreign_keys = ON')
  const orm = drizzle({ client: sqlite })
  migrate(orm, migrationsDir)

  // Immediate: a transaction that reads first and writes later could not wait for another process's write.
  const transaction = <T>(work: () => T): T => orm.transaction(work, { behavior: 'immediate' })
  return {
    orm,
    transaction,
    durably(work) {
      sqlite.run('PRAGMA synchronous = FULL')
      try {
        return transaction(work)
      } finally {
        sqlite.run('PRAGMA synchronous = NORMAL')
      }
    },
    works() {
      try {
        sqlite.query('SELECT 1 FROM users LIMIT 1').get()
        return true
      } catch {
        return false
      }
    },
    [Symbol.dispose]: () => sqlite.close(),
  }
}
