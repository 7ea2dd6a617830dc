// server/decisions/database.md says who waits for a busy database, and why some statements are plain SQL.

import { Database as Sqlite } from 'bun:sqlite'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'
import { StartRefused } from '../errors.ts'
import { fileIdentity } from '../files/identity.ts'
import { createPrivately } from '../files/private-file.ts'
import { refusalOf } from '../files/refusal.ts'
import { systemFault } from '../files/system-error.ts'
import { isEmpty, migrate } from './migrate.ts'
import { reservedSpaceOf } from './reserved-space.ts'
import { USE_INCREMENTAL_VACUUM, vacuumSome } from './vacuum.ts'

/** The one connection of a process to `holdall.db`. */
export interface Database extends Disposable {
  /** Reads. Drizzle writes with a `Tx`. */
  readonly orm: Pick<BunSQLiteDatabase, 'select' | 'get' | 'all'>
  /** Prepares a query of plain SQL, for what Drizzle can't say. Its parameters are written `$name`. */
  prepare<Row, Parameters extends StatementParameters>(text: string): Query<Row, Parameters>
  /**
   * Prepares a statement of plain SQL that changes rows, where it runs once per URL, entry or job of many: 1 to 6 µs, while Drizzle takes
   * 45 to 90 to build it (one machine).
   */
  prepareWrite<Row, Parameters extends StatementParameters>(text: string): Write<Row, Parameters>
  /**
   * Runs `work` in one transaction, which survives the death of the process. `work` must be synchronous, without I/O. What
   * must run in it takes its `tx`. Throws, and changes nothing, when the database file was removed or replaced. Throws inside
   * another transaction.
   */
  transaction<T>(work: (tx: Tx) => T): T
  /** Like `transaction`, but waits until the commit is on the disk and survives a loss of power. */
  durably<T>(work: (tx: Tx) => T): T
  /**
   * Like `durably`, for work that deletes. When the disk is full, it gives up the space that `keepReserve` has reserved, and the
   * work runs again.
   */
  freeing<T>(work: (tx: Tx) => T): T
  /** Reserves space for `freeing`, if the disk has it. */
  keepReserve(): void
  /**
   * From now on, a statement waits only briefly for another process that writes, and then throws `SQLITE_BUSY`. SQLite
   * blocks the calling thread while it waits, and the service has one main thread for all requests.
   */
  useServiceBusyTimeout(): void
  /** Returns some of the space of deleted rows to the disk; false when there is no more to return. */
  vacuumSome(): boolean
  /**
   * Writes a consistent copy to an empty file. Other processes read and write the database meanwhile.
   * https://sqlite.org/lang_vacuum.html#vacuuminto
   */
  copyTo(path: string): void
  /** Whether a query works. */
  isReadable(): boolean
  /** Whether the path of the database still leads to the file that was opened. */
  isInPlace(): boolean
}

/**
 * A transaction that is open. A function that takes one runs in it, so that its changes are committed together with those of
 * its caller, or not at all.
 */
export type Tx = Parameters<Parameters<BunSQLiteDatabase['transaction']>[0]>[0]

export interface Query<Row, Parameters> {
  /** The first row, or null when there is none. */
  get(parameters: Parameters): Row | null
  all(parameters: Parameters): Row[]
}

/** A statement that changes rows. Outside a transaction it would be one of its own, so it takes the one that it belongs to. */
export interface Write<Row, Parameters> {
  /** The first row of `RETURNING`, or null when there is none. */
  get(tx: Tx, parameters: Parameters): Row | null
  all(tx: Tx, parameters: Parameters): Row[]
  run(tx: Tx, parameters: Parameters): void
}

/** Values by the names of their parameters, without the `$`. A missing value throws. */
export type StatementParameters = Readonly<Record<string, string | number | boolean | Uint8Array | null>>

/**
 * Thrown instead of a commit when the database file was removed or replaced while it was open: SQLite would write to a
 * file without a name, and the change would be lost. SQLite has the same code for this.
 */
class DatabaseMoved extends Error {
  override readonly name = 'DatabaseMoved'
  readonly code = 'SQLITE_READONLY_DBMOVED'
}

/** How long a command, or the start of the service, waits for another process that writes. */
const COMMAND_BUSY_TIMEOUT_MS = 10_000

/** How long the running service waits for another process that writes. Commands write in batches of a few milliseconds. */
const SERVICE_BUSY_TIMEOUT_MS = 50

/** The pause between two attempts to change the journal mode. */
const JOURNAL_RETRY_MS = 10

/**
 * Opens the database, creates it on first use, and brings its tables up to date from `migrationsDir`. Several
 * processes may do so at once.
 * @throws StartRefused when the file cannot be used, or is damaged
 */
export function openDatabase(path: string, migrationsDir: string): Database {
  const sqlite = openPrepared(path, migrationsDir)
  const orm = drizzle({ client: sqlite })
  const opened = fileIdentity(path)
  const isInPlace = () => opened !== null && fileIdentity(path) === opened
  const reserve = reservedSpaceOf(path)

  function assertNoTransaction(): void {
    if (sqlite.inTransaction)
      throw new Error('a transaction is open: what belongs to it takes it as an argument')
  }

  /** A transaction that was kept after its end would let each statement commit by itself. */
  function assertInTransaction(): void {
    if (!sqlite.inTransaction) throw new Error('the transaction has ended')
  }

  function transaction<T>(work: (tx: Tx) => T): T {
    assertNoTransaction()
    const checked = (tx: Tx) => {
      const result = work(tx)
      if (!isInPlace()) throw new DatabaseMoved('the database file is no longer where it was opened')
      return result
    }
    // Immediate: a transaction that begins with a read can't wait when it later writes and another process has written.
    return orm.transaction(checked, { behavior: 'immediate' })
  }

  function durably<T>(work: (tx: Tx) => T): T {
    // SQLite ignores the setting inside a transaction.
    assertNoTransaction()
    sqlite.run('PRAGMA synchronous = FULL')
    try {
      return transaction(work)
    } finally {
      sqlite.run('PRAGMA synchronous = NORMAL')
    }
  }

  return {
    orm,
    prepare: <Row, Parameters extends StatementParameters>(text: string): Query<Row, Parameters> =>
      sqlite.prepare(text),
    prepareWrite<Row, Parameters extends StatementParameters>(text: string): Write<Row, Parameters> {
      const statement: Query<Row, Parameters> & { run(parameters: Parameters): void } = sqlite.prepare(text)
      return {
        get(_tx, parameters) {
          assertInTransaction()
          return statement.get(parameters)
        },
        all(_tx, parameters) {
          assertInTransaction()
          return statement.all(parameters)
        },
        run(_tx, parameters) {
          assertInTransaction()
          statement.run(parameters)
        },
      }
    },
    transaction,
    durably,
    freeing(work) {
      try {
        return durably(work)
      } catch (error) {
        if (systemFault(error) !== 'disk-full' || !reserve.release()) throw error
        return durably(work)
      }
    },
    keepReserve: reserve.refill,
    useServiceBusyTimeout() {
      sqlite.run(`PRAGMA busy_timeout = ${SERVICE_BUSY_TIMEOUT_MS}`)
    },
    vacuumSome: () => vacuumSome(sqlite),
    copyTo(copy) {
      sqlite.run('VACUUM INTO ?', [copy])
    },
    isReadable() {
      try {
        sqlite.query('SELECT 1 FROM users LIMIT 1').get()
        return true
      } catch {
        return false
      }
    },
    isInPlace,
    [Symbol.dispose]: () => sqlite.close(),
  }
}

function openPrepared(path: string, migrationsDir: string): Sqlite {
  let sqlite: Sqlite | null = null
  try {
    // SQLite would create a file that other users can read.
    createPrivately(path)
    sqlite = new Sqlite(path, { strict: true })
    prepare(sqlite, migrationsDir)
    return sqlite
  } catch (error) {
    sqlite?.close()
    const fault = systemFault(error)
    if (fault === null || fault === 'database-busy') throw error
    throw new StartRefused(
      `The database ${path} ${refusalOf(error)}. Fix that, restore the file from a backup, or choose another directory with --data.`,
    )
  }
}

function prepare(sqlite: Sqlite, migrationsDir: string): void {
  sqlite.run(`PRAGMA busy_timeout = ${COMMAND_BUSY_TIMEOUT_MS}`)
  // In a database with tables, this would be a transaction that changes nothing, with three syncs.
  if (isEmpty(sqlite)) sqlite.run(USE_INCREMENTAL_VACUUM)
  enableWriteAheadLog(sqlite)
  sqlite.run('PRAGMA synchronous = NORMAL')
  migrate(sqlite, migrationsDir)
  sqlite.run('PRAGMA foreign_keys = ON')
}

/** Changing the journal mode needs exclusive access, and SQLite does not wait for it. */
function enableWriteAheadLog(sqlite: Sqlite): void {
  const deadline = performance.now() + COMMAND_BUSY_TIMEOUT_MS
  for (;;) {
    try {
      sqlite.run('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (systemFault(error) !== 'database-busy' || performance.now() > deadline) throw error
      Bun.sleepSync(JOURNAL_RETRY_MS)
    }
  }
}
