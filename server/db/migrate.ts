import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { migrate as applyMigrations } from 'drizzle-orm/bun-sqlite/migrator'

/**
 * Applies the migrations that the database has not seen yet, all in one transaction. `migrationsDir` is a real
 * directory in development and one embedded in the executable otherwise; both read alike.
 */
export function migrate(orm: BunSQLiteDatabase, migrationsDir: string): void {
  applyMigrations(orm, { migrationsFolder: migrationsDir })
}
