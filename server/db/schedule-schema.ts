import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { FILE_KINDS, GONE_POLICIES, INTERVALS, RUN_STATUSES, SCHEDULE_STATUSES } from '../vocabulary.ts'
import { users } from './schema.ts'
import type { OriginHeaderNames } from './site-schema.ts'
import type { RunChanges } from './snapshots.ts'

// The rest of the tables: lists that are packed again and again.

export const schedules = sqliteTable(
  'schedules',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    status: text({ enum: SCHEDULE_STATUSES }).notNull(),
    /** Why it is paused, as a sentence; null unless the service has paused it. */
    pausedReason: text('paused_reason'),
    /** The interval that its owner has chosen; null for a cron expression. */
    interval: text({ enum: INTERVALS }),
    /** Five fields, also of an interval. */
    cron: text().notNull(),
    timeZone: text('time_zone').notNull(),
    /** When a run is due; null when none is. A paused schedule may have one, which is its last. */
    nextRunAt: integer('next_run_at'),
    /** The last time for which a run has begun or was refused; null before the first. No time has two runs. */
    lastDueAt: integer('last_due_at'),
    /** Runs that failed since the last one that completed. */
    failedRuns: integer('failed_runs').notNull().default(0),
    /** How many archives are kept. */
    keep: integer().notNull(),
    reuses: integer({ mode: 'boolean' }).notNull(),
    onGone: text('on_gone', { enum: GONE_POLICIES }).notNull(),
    /** With `{name}`, `{date}` and `{time}`, without `.zip`. */
    zipName: text('zip_name').notNull(),
    failOnUrlError: integer('fail_on_url_error', { mode: 'boolean' }).notNull(),
    failOnWarning: integer('fail_on_warning', { mode: 'boolean' }).notNull(),
    hasManifest: integer('has_manifest', { mode: 'boolean' }).notNull(),
    metadata: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    usesSites: integer('uses_sites', { mode: 'boolean' }).notNull(),
    headerNames: text('header_names', { mode: 'json' }).$type<readonly OriginHeaderNames[]>().notNull(),
    /** The headers of its jobs; null when there are none. */
    sealedHeaders: blob('sealed_headers', { mode: 'buffer' }),
    /** Whether the list was submitted as `files`. */
    asFiles: integer('as_files', { mode: 'boolean' }).notNull(),
    urlCount: integer('url_count').notNull(),
    /** The page that is the list; null when the list is in `schedule_sources`. */
    pageUrl: text('page_url'),
    pageKind: text('page_kind', { enum: FILE_KINDS }),
    pageMatch: text('page_match'),
    createdAt: integer('created_at').notNull(),
    /** What the schedule takes in this database, with its list. Triggers add it to the bytes of its owner. */
    databaseBytes: integer('database_bytes').notNull(),
  },
  (table) => [
    index('schedules_of_user').on(table.userId, table.createdAt, table.id),
    index('schedules_due').on(table.nextRunAt).where(sql`next_run_at IS NOT NULL`),
  ],
)

/** The list of a schedule. A trigger deletes it with the schedule. */
export const scheduleSources = sqliteTable(
  'schedule_sources',
  {
    scheduleId: text('schedule_id').notNull(),
    position: integer().notNull(),
    url: text().notNull(),
    filename: text(),
    /** As in `sources`. */
    sha256: blob({ mode: 'buffer' }),
  },
  (table) => [primaryKey({ columns: [table.scheduleId, table.position] })],
)

/** The runs of a schedule, the newest ones only. A trigger deletes them with the schedule. */
export const scheduleRuns = sqliteTable(
  'schedule_runs',
  {
    id: text().primaryKey(),
    scheduleId: text('schedule_id').notNull(),
    /** Null for a run that was refused. The job may no longer exist. */
    jobId: text('job_id'),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
    /** Of a run whose job exists, the status of the job counts. */
    status: text({ enum: RUN_STATUSES }).notNull(),
    /** The code of the job's failure, or of the error that has refused the run. */
    failureCode: text('failure_code'),
    failureMessage: text('failure_message'),
    changes: text({ mode: 'json' }).$type<RunChanges>(),
  },
  (table) => [
    index('schedule_runs_newest_first').on(table.scheduleId, table.createdAt, table.id),
    index('schedule_runs_of_job').on(table.jobId).where(sql`job_id IS NOT NULL`),
  ],
)
