import { constants, Database as Sqlite } from 'bun:sqlite'
import { closeSync, constants as files, fstatSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '../errors.ts'
import { createPrivately, PRIVATE_FILE } from '../files/private-file.ts'
import { refusalOf } from '../files/refusal.ts'
import { systemFault } from '../files/system-error.ts'

/**
 * Locks a file, which it creates, until the lock is disposed of: null when somebody else holds it. The lock is an open
 * transaction of SQLite, so that the operating system frees it however the process ends.
 * @throws StartRefused when the file can't be written or locked, and what the system says when it can't be made
 */
export function lockFile(path: string): Disposable | null {
  createPrivately(path)
  let sqlite: Sqlite | null = null
  try {
    const opened = new Sqlite(join(realpathSync(dirname(path)), basename(path)), OPEN_FLAGS)
    sqlite = opened
    // No journal appears beside the file.
    opened.run('PRAGMA journal_mode = MEMORY')
    opened.run('BEGIN EXCLUSIVE')
    // SQLite opens a file that it may not write for reading, and locks nothing: that comes out here.
    opened.run('PRAGMA user_version = 0')
    return { [Symbol.dispose]: () => opened.close() }
  } catch (error) {
    sqlite?.close()
    if (systemFault(error) === 'database-busy') return null
    throw new StartRefused(`The lock ${path} ${refusalOf(error)}. Let this user write it, where locks work.`)
  }
}

/** The directory may be one where somebody else lays links. SQLite refuses links in the directory's path, too. */
const OPEN_FLAGS =
  constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_NOFOLLOW

/**
 * The same with a file that is gone when the lock is disposed of. Who opened it before it was removed would lock what
 * has no name any more, beside somebody who has made it anew: so the file is held open from before the lock until
 * after it, and the path must still lead there. For one lock on a path in a process: closing the file frees them all.
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

/** While it is held, so that nobody else's is removed; Windows removes nothing that is open. */
function remove(path: string, fd: number, lock: Disposable): void {
  if (process.platform !== 'win32') rmSync(path, { force: true })
  lock[Symbol.dispose]()
  closeSync(fd)
  if (process.platform === 'win32') rmSync(path, { force: true })
}
