import type { JobSnapshot } from '../db/schema.ts'
import type { PausedSchedule } from '../db/snapshots.ts'
import type { DeliveryStatus, DisabledReason, MessageType, WebhookEvent } from '../vocabulary.ts'

/** A URL of a user that is notified of events. Times are milliseconds since the epoch. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly createdAt: number
  /** Null while the webhook is active. A disabled one gets no deliveries until its owner asks for one. */
  readonly disabledAt: number | null
  readonly disabledReason: DisabledReason | null
}

/** A webhook just created, or whose secret was rotated: the only times when its owner sees the secret. */
export interface WebhookWithSecret extends Webhook {
  readonly secret: string
}

/**
 * One event for one webhook:
 *
 * | from              | to        | when                                                                     |
 * | ----------------- | --------- | ------------------------------------------------------------------------ |
 * | -                 | pending   | a job ends, or the owner tests the webhook                               |
 * | pending           | delivered | the receiver responds 2xx                                                |
 * | pending           | failed    | the last attempt has failed, or the webhook was disabled                 |
 * | any               | pending   | the owner redelivers it; its attempts are counted from 0 again           |
 * | any               | (deleted) | the webhook is deleted, or 30 days after the event                       |
 */
export interface Delivery {
  readonly id: string
  readonly type: MessageType
  /** Null for a `ping`, and for a schedule. */
  readonly jobId: string | null
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly responseStatus: number | null
  readonly error: string | null
  readonly createdAt: number
  readonly lastAttemptAt: number | null
  readonly nextAttemptAt: number | null
}

/** What a message says: the event, and where its download link leads. */
export interface WebhookMessage {
  readonly type: MessageType
  readonly webhookId: string
  readonly jobId: string | null
  readonly snapshot: JobSnapshot | PausedSchedule | null
  readonly occurredAt: number
  /** The origin by which the creator of the webhook reached the service. */
  readonly origin: string
}

/** A pending delivery with everything that an attempt needs. */
export interface DueDelivery {
  readonly id: string
  readonly webhookId: string
  readonly userId: string
  readonly url: string
  /** The secrets that sign now, the current one first. */
  readonly secrets: readonly string[]
  /** Attempts so far. */
  readonly attempts: number
  readonly message: WebhookMessage
}
