import { sql } from 'drizzle-orm'
import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { jobs, users } from './schema.ts'

// The rest of the tables: what jobs send to their sources, in addition to what the URLs say.

/**
 * How the jobs of a user reach an origin. `sealed` contains the headers: `server/sites/sealing.ts` has the key. Everything else may
 * be shown.
 */
export const sites = sqliteTable(
  'sites',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null when its owner has given none. */
    name: text(),
    origin: text().notNull(),
    includeSubdomains: integer('include_subdomains', { mode: 'boolean' }).notNull(),
    headerNames: text('header_names', { mode: 'json' }).$type<readonly string[]>().notNull(),
    sealed: blob({ mode: 'buffer' }).notNull(),
    /** Whether the jobs of all users have it, too. */
    isShared: integer('is_shared', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    lastUsedAt: integer('last_used_at'),
    /** When a source last refused it; null since a later job was not refused. */
    refusedAt: integer('refused_at'),
  },
  (table) => [
    index('sites_of_user').on(table.userId, table.createdAt, table.id),
    index('sites_shared').on(table.createdAt, table.id).where(sql`is_shared`),
  ],
)

/**
 * The headers of a job's own, and whether it uses sites: only jobs that were created with either. A trigger deletes `sealed` when the
 * job can no longer be retried: when it is completed, or if some of its
 * URLs may still be replaced, when it has expired.
 */
export const jobLogins = sqliteTable('job_logins', {
  jobId: text('job_id')
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  usesSites: integer('uses_sites', { mode: 'boolean' }).notNull(),
  headerNames: text('header_names', { mode: 'json' }).$type<readonly OriginHeaderNames[]>().notNull(),
  sealed: blob({ mode: 'buffer' }),
})

/** Which headers an origin gets. */
export interface OriginHeaderNames {
  readonly origin: string
  readonly headerNames: readonly string[]
}
