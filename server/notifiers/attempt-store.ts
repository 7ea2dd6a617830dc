import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { notifierDeliveries, notifierEvents, notifiers } from '../db/schema.ts'
import type { DisabledReason } from '../vocabulary.ts'
import type { OwnedNotifier } from './choose-notifier.ts'
import type { DeliveryChange } from './delivery-change.ts'
import type { DueDelivery } from './notifier.ts'

/** Finds the deliveries that are due, and records what came of their attempts. */
export type AttemptStore = ReturnType<typeof openAttemptStore>

/** A notifier with pending deliveries. */
export interface PendingNotifier extends OwnedNotifier {
  /** Whether an attempt is due now. */
  readonly isDue: boolean
  readonly isDisabled: boolean
}

export function openAttemptStore(db: Database) {
  // Skips from one notifier to the next in the index, however many deliveries each has.
  const nextPending = `SELECT min(notifier_id) FROM notifier_deliveries WHERE status = 'pending' AND notifier_id >`
  const pendingNotifiers = db.prepare<PendingRow, { after: string; now: number }>(
    `WITH RECURSIVE pending (id) AS (
       SELECT (${nextPending} $after)
       UNION ALL
       SELECT (${nextPending} pending.id) FROM pending WHERE pending.id IS NOT NULL
       LIMIT ${MAX_PENDING_NOTIFIERS})
     SELECT notifiers.id AS notifierId, user_id AS userId, kind, disabled_at IS NOT NULL AS isDisabled, EXISTS (
       SELECT 1 FROM notifier_deliveries
       WHERE notifier_id = pending.id AND status = 'pending' AND next_attempt_at <= $now) AS isDue
     FROM pending JOIN notifiers ON notifiers.id = pending.id`,
  )
  const dueIds = db.prepare<{ id: string }, { notifierId: string; now: number; limit: number }>(
    `SELECT id FROM notifier_deliveries
     WHERE notifier_id = $notifierId AND status = 'pending' AND next_attempt_at <= $now
     ORDER BY next_attempt_at LIMIT $limit`,
  )
  const due = db.orm
    .select({
      id: notifierDeliveries.id,
      notifierId: notifiers.id,
      userId: notifiers.userId,
      kind: notifiers.kind,
      target: notifiers.target,
      secret: notifiers.secret,
      sealedToken: notifiers.sealedToken,
      attempts: notifierDeliveries.attempts,
      origin: notifiers.origin,
      type: notifierEvents.type,
      jobId: notifierEvents.jobId,
      snapshot: notifierEvents.snapshot,
      occurredAt: notifierEvents.createdAt,
    })
    .from(notifierDeliveries)
    .innerJoin(notifiers, eq(notifiers.id, notifierDeliveries.notifierId))
    .innerJoin(notifierEvents, eq(notifierEvents.id, notifierDeliveries.eventId))
    .where(eq(notifierDeliveries.id, sql.placeholder('id')))
    .prepare()
  const oldSecrets = db.prepare<{ secret: string }, { notifierId: string; now: number }>(
    'SELECT secret FROM notifier_old_secrets WHERE notifier_id = $notifierId AND signs_until > $now',
  )
  // Not a delivery that its owner has redelivered meanwhile: its attempts are counted from 0 again.
  const record = db.prepareWrite<{ id: string }, Omit<DeliveryChange, 'isGone'> & AttemptKey>(
    `UPDATE notifier_deliveries SET status = $status, attempts = attempts + 1, response_status = $responseStatus,
       error = $error, last_attempt_at = $now, next_attempt_at = $nextAttemptAt
     WHERE id = $id AND status = 'pending' AND attempts = $attempts RETURNING id`,
  )
  const succeeded = db.prepareWrite<null, { notifierId: string }>(
    'UPDATE notifiers SET failing_since = NULL WHERE id = $notifierId AND failing_since IS NOT NULL',
  )
  const failed = db.prepareWrite<null, { notifierId: string; now: number }>(
    'UPDATE notifiers SET failing_since = $now WHERE id = $notifierId AND failing_since IS NULL',
  )
  const disable = db.prepareWrite<{ id: string }, DisableParameters>(
    `UPDATE notifiers SET disabled_at = $now, disabled_reason = $reason
     WHERE id = $notifierId AND disabled_at IS NULL AND failing_since <= $failingBefore RETURNING id`,
  )
  const failPending = db.prepareWrite<null, { notifierId: string }>(
    `UPDATE notifier_deliveries SET status = 'failed', error = 'Disabled', next_attempt_at = NULL
     WHERE id IN (SELECT id FROM notifier_deliveries WHERE notifier_id = $notifierId AND status = 'pending'
       LIMIT ${MAX_FAILED_DELIVERIES})`,
  )

  return {
    /** The next notifiers with pending deliveries, by id, after the id `after`; empty at the end. */
    pendingNotifiers(after: string, now: number): PendingNotifier[] {
      return pendingNotifiers
        .all({ after, now })
        .map((row) => ({ ...row, isDue: row.isDue === 1, isDisabled: row.isDisabled === 1 }))
    },
    /** The first deliveries of a notifier that are due. */
    dueIds: (notifierId: string, now: number, limit: number): string[] =>
      dueIds.all({ notifierId, now, limit }).map(({ id }) => id),
    /** Null when the delivery was deleted. */
    load(deliveryId: string, now: number): DueDelivery | null {
      const row = due.get({ id: deliveryId })
      if (row === undefined) return null
      const { id, notifierId, userId, kind, target, attempts, secret, sealedToken } = row
      const { type, jobId, snapshot, occurredAt, origin } = row
      const older = oldSecrets.all({ notifierId, now }).map((old) => old.secret)
      return {
        id,
        notifierId,
        userId,
        kind,
        target,
        attempts,
        secrets: secret === null ? [] : [secret, ...older],
        sealedToken,
        message: { type, notifierId, jobId, snapshot, occurredAt, origin },
      }
    },
    /**
     * pending -> delivered, pending or failed. Changes nothing if the delivery was deleted or redelivered meanwhile.
     * Returns the reason when the attempt has disabled the notifier, else null.
     */
    record(
      { id, notifierId, attempts }: Pick<DueDelivery, 'id' | 'notifierId' | 'attempts'>,
      { isGone, ...change }: DeliveryChange,
      now: number,
    ): DisabledReason | null {
      return db.transaction((tx) => {
        if (record.get(tx, { id, attempts, now, ...change }) === null) return null
        if (change.status === 'delivered') {
          succeeded.run(tx, { notifierId })
          return null
        }
        failed.run(tx, { notifierId, now })
        const reason = isGone ? 'gone' : 'no_success'
        const failingBefore = isGone ? Number.MAX_SAFE_INTEGER : now - MAX_FAILING_MS
        return disable.get(tx, { notifierId, now, reason, failingBefore }) === null ? null : reason
      })
    },
    /** pending -> failed: a batch of the deliveries of a disabled notifier. */
    failSomePending(notifierId: string): void {
      db.transaction((tx) => failPending.run(tx, { notifierId }))
    },
  }
}

type PendingRow = OwnedNotifier & {
  readonly isDue: number
  readonly isDisabled: number
}
type AttemptKey = { readonly id: string; readonly attempts: number; readonly now: number }
type DisableParameters = {
  readonly notifierId: string
  readonly now: number
  readonly reason: DisabledReason
  readonly failingBefore: number
}

/** Longer than a weekend, in which nobody may repair a receiver. */
const MAX_FAILING_MS = 5 * 86_400_000
/** Notifiers that one query reads, in a few milliseconds. */
const MAX_PENDING_NOTIFIERS = 500
/** The most deliveries that one transaction fails, in a few milliseconds. */
const MAX_FAILED_DELIVERIES = 500
