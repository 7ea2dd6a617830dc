import type { Database } from './open.ts'

/**
 * Closes a database that no other process has open, and leaves all of it in one file, without a journal next to it. So the file
 * can be copied, and programs can read it where they may not write.
 */
export function closeAsOneFile(db: Database): void {
  const mode = db.prepare<{ journal_mode: string }, Record<string, never>>('PRAGMA journal_mode = DELETE')
  const changed = mode.get({})?.journal_mode
  db[Symbol.dispose]()
  if (changed !== 'delete') throw new Error('another connection to the database is open')
}
