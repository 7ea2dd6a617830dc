import { Database } from 'bun:sqlite'

/** Moves all that is in the journal of a database to its file, and leaves the journal empty. A service may be running. */
export function shortenJournal(path: string): void {
  using sqlite = new Database(path)
  // Until the service has written or read what it does just now.
  sqlite.run('PRAGMA busy_timeout = 30000')
  // Before its first query, a connection does not know that there is a journal.
  sqlite.query('SELECT * FROM instance').get()
  const moved = sqlite.query<{ busy: number; log: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (moved?.busy !== 0 || moved.log !== 0) throw new Error('the journal is in use')
}

/** `shorten-journal.ts PATH`, for a path in another mount namespace. */
if (import.meta.main) shortenJournal(process.argv[2] ?? '')
