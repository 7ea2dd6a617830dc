import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  MESSAGE_TYPES,
  NOTIFIER_KINDS,
  type NotifierEvent,
} from '../vocabulary.ts'
import { users } from './schema.ts'
import type { JobSnapshot, PausedSchedule } from './snapshots.ts'

// All times are milliseconds since the Unix epoch.

/** Who is told of the ends of jobs, and how: the webhooks of users among them. */
export const notifiers = sqliteTable(
  'notifiers',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: NOTIFIER_KINDS }).notNull(),
    /** The URL that is posted to; of `email`, the address. */
    target: text().notNull(),
    /** The origin by which its creator reached the service: the one of download links, unless `--base-url` is set. */
    origin: text().notNull(),
    events: text({ mode: 'json' }).$type<readonly NotifierEvent[]>().notNull(),
    /** Of a webhook, as the owner got it: the service needs the secret itself to sign. Null for other kinds. */
    secret: text(),
    /** The access token for an ntfy server, for this `target` alone: `server/sites/sealing.ts` has the key. */
    sealedToken: blob('sealed_token', { mode: 'buffer' }),
    createdAt: integer('created_at').notNull(),
    /** The first failed attempt since the last success; null if there is none. */
    failingSince: integer('failing_since'),
    disabledAt: integer('disabled_at'),
    disabledReason: text('disabled_reason', { enum: DISABLED_REASONS }),
  },
  (table) => [index('notifiers_of_user').on(table.userId, table.createdAt)],
)

/** The secrets before rotations, which sign for a while, too. */
export const notifierOldSecrets = sqliteTable(
  'notifier_old_secrets',
  {
    notifierId: text('notifier_id')
      .notNull()
      .references(() => notifiers.id, { onDelete: 'cascade' }),
    secret: text().notNull(),
    signsUntil: integer('signs_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.notifierId, table.secret] })],
)

/** What notifiers tell of: one row for all notifiers of the user. */
export const notifierEvents = sqliteTable(
  'notifier_events',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text({ enum: MESSAGE_TYPES }).notNull(),
    /** Null for a `ping`, as is its job, and for a schedule that was paused. */
    jobId: text('job_id'),
    snapshot: text({ mode: 'json' }).$type<JobSnapshot | PausedSchedule>(),
    createdAt: integer('created_at').notNull(),
    /** What the event takes in this database, with its deliveries. */
    databaseBytes: integer('database_bytes').notNull().default(0),
  },
  (table) => [
    index('notifier_events_of_user').on(table.userId),
    index('notifier_events_by_age').on(table.createdAt),
  ],
)

/** One event for one notifier. Its id is the `webhook-id`, or in the `Message-ID`, of each attempt. */
export const notifierDeliveries = sqliteTable(
  'notifier_deliveries',
  {
    id: text().primaryKey(),
    notifierId: text('notifier_id')
      .notNull()
      .references(() => notifiers.id, { onDelete: 'cascade' }),
    eventId: text('event_id')
      .notNull()
      .references(() => notifierEvents.id, { onDelete: 'cascade' }),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    responseStatus: integer('response_status'),
    error: text(),
    createdAt: integer('created_at').notNull(),
    lastAttemptAt: integer('last_attempt_at'),
    /** Null unless the delivery is pending. */
    nextAttemptAt: integer('next_attempt_at'),
  },
  (table) => [
    index('notifier_deliveries_newest_first').on(table.notifierId, table.createdAt, table.id),
    index('notifier_deliveries_pending')
      .on(table.notifierId, table.nextAttemptAt)
      .where(sql`status = 'pending'`),
    index('notifier_deliveries_of_event').on(table.eventId),
  ],
)
