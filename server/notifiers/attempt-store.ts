import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { notifierDeliveries, notifierEvents, notifierOldSecrets, notifiers } from '../db/notifier-schema.ts'
import type { Database } from '../db/open.ts'
import { DAY_MS } from '../time/clock.ts'
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
  const { orm } = db
  // Skips from one notifier to the next in the index, however many deliveries each has: recursion, which Drizzle has not.
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
  // As in the index `notifier_deliveries_pending`, which SQLite would not use for a parameter.
  const isPending = sql`${notifierDeliveries.status} = 'pending'`
  const dueIds = orm
    .select({ id: notifierDeliveries.id })
    .from(notifierDeliveries)
    .where(
      and(
        eq(notifierDeliveries.notifierId, sql.placeholder('notifierId')),
        isPending,
        lte(notifierDeliveries.nextAttemptAt, sql.placeholder('now')),
      ),
    )
    .orderBy(asc(notifierDeliveries.nextAttemptAt))
    .limit(sql.placeholder('limit'))
    .prepare()
  const due = orm
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
  const oldSecrets = orm
    .select({ secret: notifierOldSecrets.secret })
    .from(notifierOldSecrets)
    .where(
      and(
        eq(notifierOldSecrets.notifierId, sql.placeholder('notifierId')),
        gt(notifierOldSecrets.signsUntil, sql.placeholder('now')),
      ),
    )
    .prepare()

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
        // Not a delivery that its owner has redelivered meanwhile: its attempts are counted from 0 again.
        const isAttempted = and(
          eq(notifierDeliveries.id, id),
          isPending,
          eq(notifierDeliveries.attempts, attempts),
        )
        const recorded = tx
          .update(notifierDeliveries)
          .set({ ...change, attempts: attempts + 1, lastAttemptAt: now })
          .where(isAttempted)
          .returning({ id: notifierDeliveries.id })
          .get()
        if (recorded === undefined) return null
        const ofDelivery = eq(notifiers.id, notifierId)
        if (change.status === 'delivered') {
          tx.update(notifiers)
            .set({ failingSince: null })
            .where(and(ofDelivery, isNotNull(notifiers.failingSince)))
            .run()
          return null
        }
        tx.update(notifiers)
          .set({ failingSince: now })
          .where(and(ofDelivery, isNull(notifiers.failingSince)))
          .run()
        const reason = isGone ? 'gone' : 'no_success'
        const failingBefore = isGone ? Number.MAX_SAFE_INTEGER : now - MAX_FAILING_MS
        const disabled = tx
          .update(notifiers)
          .set({ disabledAt: now, disabledReason: reason })
          .where(and(ofDelivery, isNull(notifiers.disabledAt), lte(notifiers.failingSince, failingBefore)))
          .returning({ id: notifiers.id })
          .get()
        return disabled === undefined ? null : reason
      })
    },
    /** pending -> failed: a batch of the deliveries of a disabled notifier. */
    failSomePending(notifierId: string): void {
      db.transaction((tx) => {
        const some = tx
          .select({ id: notifierDeliveries.id })
          .from(notifierDeliveries)
          .where(and(eq(notifierDeliveries.notifierId, notifierId), isPending))
          .limit(MAX_FAILED_DELIVERIES)
        tx.update(notifierDeliveries)
          .set({ status: 'failed', error: 'Disabled', nextAttemptAt: null })
          .where(inArray(notifierDeliveries.id, some))
          .run()
      })
    },
  }
}

type PendingRow = OwnedNotifier & {
  readonly isDue: number
  readonly isDisabled: number
}

/** Longer than a weekend, in which nobody may repair a receiver. */
const MAX_FAILING_MS = 5 * DAY_MS
/** Notifiers that one query reads, in a few milliseconds. */
const MAX_PENDING_NOTIFIERS = 500
/** The most deliveries that one transaction fails, in a few milliseconds. */
const MAX_FAILED_DELIVERIES = 500
