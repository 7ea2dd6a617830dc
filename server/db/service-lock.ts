import { Database as Sqlite } from 'bun:sqlite'

/**
 * Lets one service at a time run on a data directory: two would run the same jobs. The lock is an open
 * transaction on a file of its own, so that the operating system frees it however the process ends.
 */
export function lockService(path: string): Disposable | null {
  const sqlite = new Sqlite(path)
  try {
    sqlite.run('BEGIN EXCLUSIVE')
    return { [Symbol.dispose]: () => sqlite.close() }
  } catch {
    sqlite.close()
    return null
  }
}
