import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  BASE_USES,
  ENTRY_CHANGES,
  FAILURE_CODES,
  JOB_STATUSES,
  PLAN_NAMES,
  WARNING_CODES,
} from '../vocabulary.ts'
import type { RunChanges } from './snapshots.ts'

// All times are milliseconds since the Unix epoch. The migrations make every table STRICT, and add the triggers.

/** One row: the id of this database, which its archive directory contains, too. */
export const instance = sqliteTable('instance', {
  id: text().primaryKey(),
  /** The time at which a running service last trusted the clock; null before the first. */
  servedAt: integer('served_at'),
  /** When the last backup was completed, and its size; null before the first. */
  backedUpAt: integer('backed_up_at'),
  backupBytes: integer('backup_bytes'),
  /** The archive directory that the service used last, as an absolute path; null for the one in the data directory. */
  archivesDir: text('archives_dir'),
})

export const users = sqliteTable('users', {
  id: text().primaryKey(),
  name: text().notNull().unique(),
  plan: text({ enum: PLAN_NAMES }).notNull(),
  createdAt: integer('created_at').notNull(),
  /** The first use of a sign-in link; null before it. */
  signedInAt: integer('signed_in_at'),
  /**
   * What the user's jobs, retention periods and notifier events take in this database. Triggers of the migrations keep it up to
   * date.
   */
  databaseBytes: integer('database_bytes').notNull().default(0),
})

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** SHA-256 of the key, which itself is not stored. */
    digest: blob({ mode: 'buffer' }).notNull().unique(),
    /** The first characters of the key, so that a person can recognise it. */
    prefix: text().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    /** For the key of a browser: each use moves its expiry to this long after the use. Null for other keys. */
    maxIdleMs: integer('max_idle_ms'),
    /** Whether it came from a key file, which may still contain it when it is revoked. */
    isFromFile: integer('is_from_file', { mode: 'boolean' }).notNull().default(false),
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
  },
  (table) => [
    index('api_keys_of_user').on(table.userId, table.createdAt),
    index('api_keys_revoked').on(table.revokedAt).where(sql`revoked_at IS NOT NULL`),
  ],
)

/** One-time links. Using a link deletes its row. */
export const signInLinks = sqliteTable('sign_in_links', {
  digest: blob({ mode: 'buffer' }).primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: integer('expires_at').notNull(),
})

export const jobs = sqliteTable(
  'jobs',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: JOB_STATUSES }).notNull(),
    zipFilename: text('zip_filename').notNull(),
    expiresInSeconds: integer('expires_in_seconds').notNull(),
    failOnUrlError: integer('fail_on_url_error', { mode: 'boolean' }).notNull(),
    failOnWarning: integer('fail_on_warning', { mode: 'boolean' }).notNull().default(false),
    /** Whether the archive gets a list of its sources and of their checksums. */
    hasManifest: integer('has_manifest', { mode: 'boolean' }).notNull().default(false),
    /** Set by a retry that continues without the URLs that failed. */
    skipFailed: integer('skip_failed', { mode: 'boolean' }).notNull().default(false),
    /** Whether the job was submitted as `files`, and is shown as such. */
    asFiles: integer('as_files', { mode: 'boolean' }).notNull(),
    metadata: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    urlCount: integer('url_count').notNull(),
    fileCount: integer('file_count').notNull().default(0),
    zipBytes: integer('zip_bytes').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    completedAt: integer('completed_at'),
    expiresAt: integer('expires_at'),
    /** When the archive or the checkpoint expired or was evicted. A trigger then inserts a row into `file_deletions`. */
    sweptAt: integer('swept_at'),
    /** Sources and entries are deleted some days after the job has expired, in batches: `leaving` until none are left. */
    details: text({ enum: ['kept', 'leaving', 'gone'] })
      .notNull()
      .default('kept'),
    failureCode: text('failure_code', { enum: FAILURE_CODES }),
    failureMessage: text('failure_message'),
    /** How often the job was claimed. A run may write only while its own claim is the latest. */
    claim: integer().notNull().default(0),
    /** Runs that crashed since the last change of the checkpoint. */
    crashes: integer().notNull().default(0),
    /** These six are the `ByteMove` that closes a gap in the archive; null while there is none. */
    moveFrom: integer('move_from'),
    moveTo: integer('move_to'),
    moveBy: integer('move_by'),
    movedBytes: integer('moved_bytes'),
    copyOffset: integer('copy_offset'),
    copyBytes: integer('copy_bytes'),
    /** So many bytes at the beginning of the archive are final, and may have been sent to clients. */
    settledBytes: integer('settled_bytes').notNull().default(0),
    /** How often such bytes were given up. Each time, the archive becomes another one to clients that download it. */
    edition: integer().notNull().default(0),
    /**
     * What the share link names: the id of the first job in a line of archives that replace each other. All of them have it, and
     * the link opens the one that holds it.
     */
    linkId: text('link_id').notNull(),
    holdsLink: integer('holds_link', { mode: 'boolean' }).notNull().default(true),
    /** The job whose archive this job copies entries from. It may no longer exist. */
    baseJobId: text('base_job_id'),
    baseReuse: text('base_reuse', { enum: BASE_USES }),
    /** Whether entries of the base are copied whose sources fail. */
    keepsGone: integer('keeps_gone', { mode: 'boolean' }).notNull().default(false),
    /** The schedule of which the job is a run; null for any other job, and once the schedule is deleted. */
    scheduleId: text('schedule_id'),
    /** What a completed run has changed; null for any other job. */
    changes: text({ mode: 'json' }).$type<RunChanges>(),
    reusedCount: integer('reused_count').notNull().default(0),
    warningCount: integer('warning_count').notNull().default(0),
    /**
     * The object in the archive store that has the archive, or gets it while the job is still processing. Null when the archive
     * is in the archive directory. Triggers insert a row into `object_deletions` when the job no longer needs it.
     */
    objectName: text('object_name'),
    /** What the job takes in this database, with its sources and, once it has ended, its entries. */
    databaseBytes: integer('database_bytes').notNull().default(0),
  },
  (table) => [
    index('jobs_newest_first').on(table.userId, table.createdAt, table.id),
    index('jobs_by_status').on(table.userId, table.status, table.createdAt, table.id),
    index('jobs_by_cancellation')
      .on(table.userId, sql`(failure_code IS 'CANCELLED')`, table.createdAt, table.id)
      .where(sql`status = 'failed'`),
    index('jobs_by_link').on(table.linkId, table.createdAt, table.id),
    index('jobs_to_forget').on(table.details, table.expiresAt).where(sql`swept_at IS NOT NULL`),
    index('jobs_of_schedule')
      .on(table.scheduleId, table.createdAt, table.id)
      .where(sql`schedule_id IS NOT NULL`),
    index('jobs_to_sweep').on(table.expiresAt).where(sql`swept_at IS NULL AND expires_at IS NOT NULL`),
  ],
)

/**
 * What the client submitted: one row per URL. Without a foreign key: the sources of a large job are written before its row, and
 * deleted after it, in several transactions each. Meanwhile the job is in `detail_deletions`.
 */
export const sources = sqliteTable(
  'sources',
  {
    jobId: text('job_id').notNull(),
    position: integer().notNull(),
    url: text().notNull(),
    filename: text(),
    /** The SHA-256 that the body must have; null for any. */
    sha256: blob({ mode: 'buffer' }),
    /** The position of the same source in the job's base; null if the base has no such entry. */
    basePosition: integer('base_position'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.position] })],
)

/** The checkpoint: the result of each source so far. A source without a row is waiting. */
export const entries = sqliteTable(
  'entries',
  {
    jobId: text('job_id').notNull(),
    position: integer().notNull(),
    status: text({ enum: ['stored', 'partial', 'failed'] }).notNull(),
    name: text(),
    /** The name before it was numbered in the finished archive; null if it was not. */
    likelyName: text('likely_name'),
    offset: integer(),
    headerBytes: integer('header_bytes'),
    compressedBytes: integer('compressed_bytes'),
    sizeBytes: integer('size_bytes'),
    modifiedAtMs: integer('modified_at_ms'),
    crc32: integer(),
    /** Of the uncompressed body; null unless the job asked for it. */
    sha256: blob({ mode: 'buffer' }),
    /** JSON: how the body was fetched, for the manifest. */
    fetched: text(),
    method: integer().$type<0 | 8>(),
    /** JSON: which bytes of a partial body are in the file, with their CRC-32. */
    stretches: text(),
    etag: text(),
    hasLastModified: integer('has_last_modified', { mode: 'boolean' }),
    finalUrlHash: text('final_url_hash'),
    isReused: integer('is_reused', { mode: 'boolean' }),
    /** When its source last confirmed an entry that was copied because the source fails; null for any other entry. */
    keptFrom: integer('kept_from'),
    /** How it compares with the archive before; null unless the job is a completed run of a schedule. */
    change: text({ enum: ENTRY_CHANGES }),
    error: text(),
    warningCode: text('warning_code', { enum: WARNING_CODES }),
    warningMessage: text('warning_message'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.position] })],
)

/**
 * Jobs that are not in `jobs`, but may have sources and entries. A trigger of the migrations writes a row when a job with sources
 * is deleted, and a creation that takes several transactions writes its own. The row is deleted with the last of the sources, or
 * when the job is created.
 */
export const detailDeletions = sqliteTable('detail_deletions', { jobId: text('job_id').primaryKey() })

/**
 * Jobs whose files are to be deleted. Triggers of the migrations write a row in the transaction that expires or deletes
 * a job, and a retry from scratch writes its own. The row is deleted after the files. A start deletes no other files.
 */
export const fileDeletions = sqliteTable(
  'file_deletions',
  { id: integer().primaryKey({ autoIncrement: true }), jobId: text('job_id').notNull() },
  (table) => [index('file_deletions_of_job').on(table.jobId)],
)

/** Objects of the archive store, or uploads of them, that are to be deleted. The row is deleted after the object. */
export const objectDeletions = sqliteTable('object_deletions', {
  id: integer().primaryKey({ autoIncrement: true }),
  objectName: text('object_name').notNull(),
})

/** How many jobs a user has in each status. Triggers of the migrations keep it up to date, so that lists need not count. */
export const jobCounts = sqliteTable(
  'job_counts',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: JOB_STATUSES }).notNull(),
    total: integer().notNull(),
    /** How many of them their owner has cancelled: zero unless they have failed. */
    cancelled: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.status] })],
)

/** How long each finished archive, and each checkpoint of a failed job, counts against the quota. Outlives the job. */
export const retentionPeriods = sqliteTable(
  'retention_periods',
  {
    id: integer().primaryKey(),
    jobId: text('job_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sizeBytes: integer('size_bytes').notNull(),
    storedAt: integer('stored_at').notNull(),
    /** Expiry, or the earlier deletion. */
    removedAt: integer('removed_at').notNull(),
  },
  (table) => [
    // The first two hold every column that a sum over either end of a period reads, so that it does not read the table.
    index('retention_periods_by_end').on(table.userId, table.removedAt, table.storedAt, table.sizeBytes),
    index('retention_periods_by_start').on(table.userId, table.storedAt, table.sizeBytes),
    index('retention_periods_of_job').on(table.jobId),
  ],
)

/**
 * By how much a user's bytes on disk change in an hour (counted from the epoch): the sums over all retention periods
 * that begin or end in it, future hours included. Triggers of the migrations keep it up to date.
 */
export const usageHours = sqliteTable(
  'usage_hours',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hour: integer().notNull(),
    bytes: integer().notNull(),
    /**
     * Sum of bytes x milliseconds from the start of the hour to the change: of the low 20 bits of the size, and the
     * rest.
     */
    lowByteMs: integer('low_byte_ms').notNull(),
    highByteMs: integer('high_byte_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hour] })],
)
