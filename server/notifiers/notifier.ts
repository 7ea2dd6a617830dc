import type { JobSnapshot, PausedSchedule } from '../db/snapshots.ts'
import type {
  DeliveryStatus,
  DisabledReason,
  MessageType,
  NotifierEvent,
  NotifierKind,
} from '../vocabulary.ts'

/** Tells its user of events, where that user is. Times are milliseconds since the epoch. */
export interface Notifier {
  readonly id: string
  readonly kind: NotifierKind
  /** The URL of a webhook or of an ntfy topic, or an e-mail address. */
  readonly target: string
  /** Whether an access token is sent, which only ntfy servers get. */
  readonly hasToken: boolean
  readonly events: readonly NotifierEvent[]
  readonly createdAt: number
  /** Null while the notifier is active. A disabled one gets no deliveries until its owner asks for one. */
  readonly disabledAt: number | null
  readonly disabledReason: DisabledReason | null
}

/** A notifier just created, or whose secret was rotated: the only times when its owner sees the secret. */
export interface NotifierWithSecret extends Notifier {
  /** Null unless it is a webhook. */
  readonly secret: string | null
}

/**
 * One event for one notifier:
 *
 * | from              | to        | when                                                                     |
 * | ----------------- | --------- | ------------------------------------------------------------------------ |
 * | -                 | pending   | a job ends, or the owner tests the notifier                              |
 * | pending           | delivered | the receiver, or the mail server, responds 2xx                           |
 * | pending           | failed    | the last attempt has failed, or the notifier was disabled                |
 * | any               | pending   | the owner redelivers it; its attempts are counted from 0 again           |
 * | any               | (deleted) | the notifier is deleted, or 30 days after the event                      |
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

/** What a message says: the event, and where its links lead. */
export interface NotifierMessage {
  readonly type: MessageType
  readonly notifierId: string
  readonly jobId: string | null
  readonly snapshot: JobSnapshot | PausedSchedule | null
  readonly occurredAt: number
  /** The origin by which the creator of the notifier reached the service. */
  readonly origin: string
}

/** A pending delivery with everything that an attempt needs. */
export interface DueDelivery {
  readonly id: string
  readonly notifierId: string
  readonly userId: string
  readonly kind: NotifierKind
  readonly target: string
  /** The secrets with which a webhook signs now, the current one first. */
  readonly secrets: readonly string[]
  readonly sealedToken: Uint8Array | null
  /** Attempts so far. */
  readonly attempts: number
  readonly message: NotifierMessage
}
