import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  type FailureCode,
  type JobStatus,
  MESSAGE_TYPES,
  type WebhookEvent,
} from '../vocabulary.ts'
import { users } from './schema.ts'

// The tables of webhooks. All times are milliseconds since the Unix epoch. The migrations make every table STRICT.

export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    /** The origin by which its creator reached the service: the one of download links, unless `--base-url` is set. */
    origin: text().notNull(),
    events: text({ mode: 'json' }).$type<readonly WebhookEvent[]>().notNull(),
    /** As the owner got it. The service needs the secret itself to sign. */
    secret: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** The first failed attempt since the last success; null if there is none. */
    failingSince: integer('failing_since'),
    disabledAt: integer('disabled_at'),
    disabledReason: text('disabled_reason', { enum: DISABLED_REASONS }),
  },
  (table) => [index('webhooks_of_user').on(table.userId, table.createdAt)],
)

/** The secrets before rotations, which sign for a while, too. */
export const webhookOldSecrets = sqliteTable(
  'webhook_old_secrets',
  {
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    secret: text().notNull(),
    signsUntil: integer('signs_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhookId, table.secret] })],
)

/** What webhooks are notified of: one row for all webhooks of the user. */
export const webhookEvents = sqliteTable(
  'webhook_events',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text({ enum: MESSAGE_TYPES }).notNull(),
    /** Null for a `ping`, as is its job. */
    jobId: text('job_id'),
    snapshot: text({ mode: 'json' }).$type<JobSnapshot>(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('webhook_events_of_user').on(table.userId),
    index('webhook_events_by_age').on(table.createdAt),
  ],
)

/** One event for one webhook. Its id is the `webhook-id` of each attempt. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text().primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    eventId: text('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
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
    index('webhook_deliveries_newest_first').on(table.webhookId, table.createdAt, table.id),
    index('webhook_deliveries_pending')
      .on(table.webhookId, table.nextAttemptAt)
      .where(sql`status = 'pending'`),
    index('webhook_deliveries_of_event').on(table.eventId),
  ],
)

/** A job as it was when it ended. A later retry, expiry or deletion of the job does not change it. */
export interface JobSnapshot {
  readonly status: JobStatus
  readonly urlCount: number
  readonly fileCount: number
  readonly zipBytes: number
  readonly errorCount: number
  /** The first errors, in URL order. */
  readonly errors: readonly { readonly url: string; readonly error: string }[]
  readonly failure: { readonly code: FailureCode; readonly message: string } | null
  readonly expiresAt: number | null
  readonly metadata: Readonly<Record<string, string>>
}
