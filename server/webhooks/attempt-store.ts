import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { webhookDeliveries, webhookEvents, webhooks } from '../db/schema.ts'
import type { DisabledReason } from '../vocabulary.ts'
import type { DeliveryChange } from './delivery-change.ts'
import type { DueDelivery } from './webhook.ts'

/** Finds the deliveries that are due, and records what came of their attempts. */
export type AttemptStore = ReturnType<typeof openAttemptStore>

/** A webhook with pending deliveries. */
export interface PendingWebhook {
  readonly webhookId: string
  readonly userId: string
  /** Whether an attempt is due now. */
  readonly isDue: boolean
  readonly isDisabled: boolean
}

export function openAttemptStore(db: Database) {
  // Skips from one webhook to the next in the index, however many deliveries each has.
  const nextPending = `SELECT min(webhook_id) FROM webhook_deliveries WHERE status = 'pending' AND webhook_id >`
  const pendingWebhooks = db.prepare<PendingRow, { after: string; now: number }>(
    `WITH RECURSIVE pending (id) AS (
       SELECT (${nextPending} $after)
       UNION ALL
       SELECT (${nextPending} pending.id) FROM pending WHERE pending.id IS NOT NULL
       LIMIT ${MAX_PENDING_WEBHOOKS})
     SELECT webhooks.id AS webhookId, user_id AS userId, disabled_at IS NOT NULL AS isDisabled, EXISTS (
       SELECT 1 FROM webhook_deliveries
       WHERE webhook_id = pending.id AND status = 'pending' AND next_attempt_at <= $now) AS isDue
     FROM pending JOIN webhooks ON webhooks.id = pending.id`,
  )
  const dueIds = db.prepare<{ id: string }, { webhookId: string; now: number; limit: number }>(
    `SELECT id FROM webhook_deliveries
     WHERE webhook_id = $webhookId AND status = 'pending' AND next_attempt_at <= $now
     ORDER BY next_attempt_at LIMIT $limit`,
  )
  const due = db.orm
    .select({
      id: webhookDeliveries.id,
      webhookId: webhooks.id,
      userId: webhooks.userId,
      url: webhooks.url,
      secret: webhooks.secret,
      attempts: webhookDeliveries.attempts,
      origin: webhooks.origin,
      type: webhookEvents.type,
      jobId: webhookEvents.jobId,
      snapshot: webhookEvents.snapshot,
      occurredAt: webhookEvents.createdAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(eq(webhookDeliveries.id, sql.placeholder('id')))
    .prepare()
  const oldSecrets = db.prepare<{ secret: string }, { webhookId: string; now: number }>(
    'SELECT secret FROM webhook_old_secrets WHERE webhook_id = $webhookId AND signs_until > $now',
  )
  // Not a delivery that its owner has redelivered meanwhile: its attempts are counted from 0 again.
  const record = db.prepareWrite<{ id: string }, Omit<DeliveryChange, 'isGone'> & AttemptKey>(
    `UPDATE webhook_deliveries SET status = $status, attempts = attempts + 1, response_status = $responseStatus,
       error = $error, last_attempt_at = $now, next_attempt_at = $nextAttemptAt
     WHERE id = $id AND status = 'pending' AND attempts = $attempts RETURNING id`,
  )
  const succeeded = db.prepareWrite<null, { webhookId: string }>(
    'UPDATE webhooks SET failing_since = NULL WHERE id = $webhookId AND failing_since IS NOT NULL',
  )
  const failed = db.prepareWrite<null, { webhookId: string; now: number }>(
    'UPDATE webhooks SET failing_since = $now WHERE id = $webhookId AND failing_since IS NULL',
  )
  const disable = db.prepareWrite<{ id: string }, DisableParameters>(
    `UPDATE webhooks SET disabled_at = $now, disabled_reason = $reason
     WHERE id = $webhookId AND disabled_at IS NULL AND failing_since <= $failingBefore RETURNING id`,
  )
  const failPending = db.prepareWrite<null, { webhookId: string }>(
    `UPDATE webhook_deliveries SET status = 'failed', error = 'Webhook disabled', next_attempt_at = NULL
     WHERE id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = $webhookId AND status = 'pending'
       LIMIT ${MAX_FAILED_DELIVERIES})`,
  )

  return {
    /** The next webhooks with pending deliveries, by id, after the id `after`; empty at the end. */
    pendingWebhooks(after: string, now: number): PendingWebhook[] {
      return pendingWebhooks
        .all({ after, now })
        .map((row) => ({ ...row, isDue: row.isDue === 1, isDisabled: row.isDisabled === 1 }))
    },
    /** The first deliveries of a webhook that are due. */
    dueIds: (webhookId: string, now: number, limit: number): string[] =>
      dueIds.all({ webhookId, now, limit }).map(({ id }) => id),
    /** Null when the delivery was deleted. */
    load(deliveryId: string, now: number): DueDelivery | null {
      const row = due.get({ id: deliveryId })
      if (row === undefined) return null
      const { id, webhookId, userId, url, attempts, secret } = row
      const { type, jobId, snapshot, occurredAt, origin } = row
      const older = oldSecrets.all({ webhookId, now }).map((old) => old.secret)
      return {
        id,
        webhookId,
        userId,
        url,
        attempts,
        secrets: [secret, ...older],
        message: { type, webhookId, jobId, snapshot, occurredAt, origin },
      }
    },
    /**
     * pending -> delivered, pending or failed. Changes nothing if the delivery was deleted or redelivered meanwhile.
     * Returns the reason when the attempt has disabled the webhook, else null.
     */
    record(
      { id, webhookId, attempts }: Pick<DueDelivery, 'id' | 'webhookId' | 'attempts'>,
      { isGone, ...change }: DeliveryChange,
      now: number,
    ): DisabledReason | null {
      return db.transaction((tx) => {
        if (record.get(tx, { id, attempts, now, ...change }) === null) return null
        if (change.status === 'delivered') {
          succeeded.run(tx, { webhookId })
          return null
        }
        failed.run(tx, { webhookId, now })
        const reason = isGone ? 'gone' : 'no_success'
        const failingBefore = isGone ? Number.MAX_SAFE_INTEGER : now - MAX_FAILING_MS
        return disable.get(tx, { webhookId, now, reason, failingBefore }) === null ? null : reason
      })
    },
    /** pending -> failed: a batch of the deliveries of a disabled webhook. */
    failSomePending(webhookId: string): void {
      db.transaction((tx) => failPending.run(tx, { webhookId }))
    },
  }
}

type PendingRow = Pick<PendingWebhook, 'webhookId' | 'userId'> & {
  readonly isDue: number
  readonly isDisabled: number
}
type AttemptKey = { readonly id: string; readonly attempts: number; readonly now: number }
type DisableParameters = {
  readonly webhookId: string
  readonly now: number
  readonly reason: DisabledReason
  readonly failingBefore: number
}

/** Longer than a weekend, in which nobody may repair a receiver. */
const MAX_FAILING_MS = 5 * 86_400_000
/** Webhooks that one query reads, in a few milliseconds. */
const MAX_PENDING_WEBHOOKS = 500
/** The most deliveries that one transaction fails, in a few milliseconds. */
const MAX_FAILED_DELIVERIES = 500
