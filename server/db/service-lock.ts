import { Database as Sqlite } from 'bun:sqlite'
import { createPrivately } from '../files/private-file.ts'

/**
 * Lets one service at a time run on a data directory: two would run the same jobs. The lock is an open
 * transaction on a file of its own, so that the operating system frees it however the process ends.
 */
export function lockService(path: string): Disposable | null {
  createPrivately(path)
  const sqlite = new Sqlite(path)
  try {
    sqlite.run('BEGIN EXCLUSIVE')
    return { [Symbol.dispose]: () => sqlite.close() }
  } catch {
    sqlite.close()
    return null
  }
}
