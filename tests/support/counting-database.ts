import { sql } from 'drizzle-orm'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { PROGRAM_FILES } from './service.ts'

/** A database that counts the rows that each transaction changes. */
export function countingDatabase(path: string) {
  const db = openDatabase(path, PROGRAM_FILES.migrationsDir)
  let maxRows = 0
  const changes = () => Number(db.orm.get<[number]>(sql`SELECT total_changes()`)[0])
  const counted =
    (run: Database['transaction']): Database['transaction'] =>
    (work) => {
      const before = changes()
      try {
        return run(work)
      } finally {
        maxRows = Math.max(maxRows, changes() - before)
      }
    }
  return {
    db: {
      ...db,
      transaction: counted(db.transaction),
      durably: counted(db.durably),
      freeing: counted(db.freeing),
    },
    /** The most rows that one transaction has changed since the last call. */
    takeMaxRows() {
      const rows = maxRows
      maxRows = 0
      return rows
    },
    [Symbol.dispose]: () => db[Symbol.dispose](),
  }
}
