import type { SQL } from 'drizzle-orm'
import type { Database } from '../../server/db/open.ts'

/** Runs one statement that no store has, in a transaction of its own. */
export function runSql(db: Database, statement: SQL): void {
  db.transaction((tx) => tx.run(statement))
}
