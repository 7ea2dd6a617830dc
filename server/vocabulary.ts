// Closed sets of values that the database, the engine and the API share.

/** `jobs/job.ts` describes every transition between them. */
export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** The result of one URL of a job so far. */
export const ENTRY_STATUSES = ['waiting', 'fetching', 'stored', 'failed'] as const
export type EntryStatus = (typeof ENTRY_STATUSES)[number]

/** Which entries of its base a job copies: all, or those that their sources call unchanged. */
export const REUSE_MODES = ['all', 'unchanged'] as const
export type ReuseMode = (typeof REUSE_MODES)[number]

/** The same for a run of a schedule, which may also only compare its entries with those of its base. */
export const BASE_USES = [...REUSE_MODES, 'none'] as const
export type BaseUse = (typeof BASE_USES)[number]

/** How an entry of a run compares with the archive before it. `schedules/change-store.ts` tells them apart. */
export const ENTRY_CHANGES = ['added', 'changed', 'unchanged', 'kept', 'gone'] as const
export type EntryChange = (typeof ENTRY_CHANGES)[number]

/** `schedules/schedule.ts` describes the transitions. */
export const SCHEDULE_STATUSES = ['active', 'paused'] as const
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number]

/** The intervals of schedules that need no cron expression. */
export const INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** Whether a run asks sources if they have changed. */
export const SCHEDULE_REUSES = ['unchanged', 'none'] as const

/** What a run does when a source that the archive before has now fails. */
export const GONE_POLICIES = ['keep', 'leave_out', 'fail'] as const
export type GonePolicy = (typeof GONE_POLICIES)[number]

export const RUN_STATUSES = ['running', 'completed', 'failed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** What looks wrong with an entry that is packed all the same: a page in place of a file, or a file without bytes. */
const FILE_WARNING_CODES = ['HTML_INSTEAD', 'EMPTY'] as const
export type FileWarningCode = (typeof FILE_WARNING_CODES)[number]

/** The same, and what a user can do about an entry that has failed: its source has refused a saved login. */
export const WARNING_CODES = [...FILE_WARNING_CODES, 'LOGIN_REFUSED'] as const
export type WarningCode = (typeof WARNING_CODES)[number]

/** What a link of a page leads to, or what a file is for a person. */
export const FILE_KINDS = ['page', 'image', 'audio', 'video', 'document', 'archive', 'data', 'other'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** Why a job failed. */
export const FAILURE_CODES = [
  'URL_FAILED',
  'ALL_URLS_FAILED',
  'ZIP_SIZE_EXCEEDED',
  'DISK_FULL',
  'CANCELLED',
  'INTERNAL_ERROR',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** Specification, section 8. */
export const PLAN_NAMES = ['free', 'pro'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

/** How a notifier tells its user. */
export const NOTIFIER_KINDS = ['webhook', 'ntfy', 'email'] as const
export type NotifierKind = (typeof NOTIFIER_KINDS)[number]

/**
 * What a notifier tells of. `job.changed` is a `job.completed` after which a schedule has other files than before: who is told of
 * both gets one message.
 */
export const NOTIFIER_EVENTS = ['job.completed', 'job.changed', 'job.failed', 'schedule.paused'] as const
export type NotifierEvent = (typeof NOTIFIER_EVENTS)[number]

/** The same in the words of people. */
export const NOTIFIER_OCCASIONS = ['completed', 'failed', 'changed'] as const
export type NotifierOccasion = (typeof NOTIFIER_OCCASIONS)[number]

/** The types of messages. A `ping` is sent when the owner tests a notifier. */
export const MESSAGE_TYPES = ['job.completed', 'job.failed', 'schedule.paused', 'ping'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** A pending delivery will be attempted. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why a notifier is disabled: the receiver has refused for good, as with 410, or no delivery succeeded for days. */
export const DISABLED_REASONS = ['gone', 'no_success'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** How much of a job is done at most, before it has ended: its archive still has to be completed. */
export const MAX_UNFINISHED_FRACTION = 0.99
