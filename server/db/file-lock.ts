import { Database as Sqlite } from 'bun:sqlite'
import { accessSync, constants, rmSync } from 'node:fs'
import { createPrivately } from '../files/private-file.ts'
import { systemFault } from '../files/system-error.ts'

/**
 * Locks a file, which it creates, until the lock is disposed of: null when somebody else holds it. The lock is an open
 * transaction of SQLite, so that the operating system frees it however the process ends.
 * @throws what the system says when the file can't be written
 */
export function lockFile(path: string): Disposable | null {
  createPrivately(path)
  // SQLite would open a file that it may not write for reading, and lock nothing.
  accessSync(path, constants.W_OK)
  const sqlite = new Sqlite(path)
  try {
    // No journal appears beside the file.
    sqlite.run('PRAGMA journal_mode = MEMORY')
    sqlite.run('BEGIN EXCLUSIVE')
    return { [Symbol.dispose]: () => sqlite.close() }
  } catch (error) {
    sqlite.close()
    if (systemFault(error) === 'database-busy') return null
    throw error
  }
}

/**
 * The same with a file that is gone when the lock is disposed of. Who opened it before it was removed would lock what
 * has no name any more, beside somebody who has created it anew: so the path must lead to what was locked.
 */
export function lockTransientFile(path: string): Disposable | null {
  for (;;) {
    const lock = lockFile(path)
    if (lock === null) return null
    // A lock that is held refuses this process, too. One that can be had is another file's.
    const other = lockFile(path)
    if (other === null) return { [Symbol.dispose]: () => remove(path, lock) }
    other[Symbol.dispose]()
    lock[Symbol.dispose]()
  }
}

/** While it is held, so that nobody else's is removed; Windows removes nothing that is open. */
function remove(path: string, lock: Disposable): void {
  if (process.platform !== 'win32') rmSync(path, { force: true })
  lock[Symbol.dispose]()
  if (process.platform === 'win32') rmSync(path, { force: true })
}
