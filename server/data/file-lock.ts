import { constants, Database as Sqlite } from 'bun:sqlite'
import { closeSync, constants as files, fstatSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '../errors.ts'
import { createPrivately, PRIVATE_FILE } from '../files/private-file.ts'
import { refusalOf } from '../files/refusal.ts'
import { systemFault } from '../files/system-error.ts'

/**
 * Creates a file and locks it until disposed of; null when another process holds the lock. The lock is an open transaction
 * of SQLite, so that the operating system releases it however the process ends.
 * @throws StartRefused when the file can't be written or locked, and the system's error when it can't be created
 */
export function lockFile(path: string): Disposable | null {
  createPrivately(path)
  let sqlite: Sqlite | null = null
  try {
    const opened = new Sqlite(join(realpathSync(dirname(path)), basename(path)), OPEN_FLAGS)
    sqlite = opened
    // Prevents a journal file next to the lock file.
    opened.run('PRAGMA journal_mode = MEMORY')
    opened.run('BEGIN EXCLUSIVE')
    // If SQLite may not write to the file, it opens it read-only and locks nothing. This write detects that.
    opened.run('PRAGMA user_version = 0')
    return { [Symbol.dispose]: () => opened.close() }
  } catch (error) {
    sqlite?.close()
    if (systemFault(error) === 'database-busy') return null
    throw new StartRefused(
      `The lock file ${path} ${refusalOf(error)}. It must be writable by this user and on a file system with locks.`,
    )
  }
}

/** Other users may be able to create links in the directory. SQLite refuses links in the path of the directory, too. */
const OPEN_FLAGS =
  constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_NOFOLLOW

/**
 * Like `lockFile`, but disposing of the lock also deletes the file. A process that opened the file before it was deleted
 * would lock a file without a name, while another process creates and locks a new file. So the file is opened before the
 * lock and closed after it, and the path must still lead to it. A process may hold only one lock per path, since closing
 * the file releases all of them.
 */
export function lockTransientFile(path: string): Disposable | null {
  for (;;) {
    const fd = openPrivately(path)
    const lock = lockFile(path)
    if (lock !== null && leadsTo(path, fd)) return { [Symbol.dispose]: () => remove(path, fd, lock) }
    lock?.[Symbol.dispose]()
    closeSync(fd)
    if (lock === null) return null
  }
}

function openPrivately(path: string): number {
  return openSync(path, files.O_RDWR | files.O_CREAT | files.O_NOFOLLOW, PRIVATE_FILE)
}

function leadsTo(path: string, fd: number): boolean {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false })
  const open = fstatSync(fd, { bigint: true })
  return there?.ino === open.ino && there.dev === open.dev
}

/** Deletes the file before it releases the lock, so never another process's file. Windows can't delete an open file. */
function remove(path: string, fd: number, lock: Disposable): void {
  if (process.platform !== 'win32') rmSync(path, { force: true })
  lock[Symbol.dispose]()
  closeSync(fd)
  if (process.platform === 'win32') rmSync(path, { force: true })
}
