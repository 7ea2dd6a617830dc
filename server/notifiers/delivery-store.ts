import { and, asc, count, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import { notifierDeliveries, notifierEvents } from '../db/notifier-schema.ts'
import type { Database, Tx } from '../db/open.ts'
import { MAX_DELETED_BYTES, withinBytes } from '../db/within-bytes.ts'
import { type ListPlace, NEWEST } from '../paging.ts'
import type { Delivery } from './notifier.ts'

/** The deliveries that the owners of notifiers see. */
export type DeliveryStore = ReturnType<typeof openDeliveryStore>

export function openDeliveryStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const notifierId = sql.placeholder('notifierId')
  const ofNotifier = eq(notifierDeliveries.notifierId, notifierId)
  const olderThan = sql`(${notifierDeliveries.createdAt}, ${notifierDeliveries.id}) < (${sql.placeholder('createdAt')}, ${id})`
  const deliveries = () =>
    orm
      .select(DELIVERY_COLUMNS)
      .from(notifierDeliveries)
      .innerJoin(notifierEvents, eq(notifierEvents.id, notifierDeliveries.eventId))

  const page = deliveries()
    .where(and(ofNotifier, olderThan))
    .orderBy(desc(notifierDeliveries.createdAt), desc(notifierDeliveries.id))
    .limit(sql.placeholder('limit'))
    .prepare()
  const total = orm.select({ total: count() }).from(notifierDeliveries).where(ofNotifier).prepare()
  const one = deliveries()
    .where(and(eq(notifierDeliveries.id, id), ofNotifier))
    .prepare()
  return {
    /** Newest first. */
    page(ofId: string, after: ListPlace | null, limit: number): Delivery[] {
      return page.all({ notifierId: ofId, limit, ...(after ?? NEWEST) })
    },
    count: (ofId: string): number => total.get({ notifierId: ofId })?.total ?? 0,
    /** Null when the notifier has no such delivery. */
    find: (ofId: string, deliveryId: string): Delivery | null =>
      one.get({ notifierId: ofId, id: deliveryId }) ?? null,
    /** any -> pending: its attempts are counted from 0. */
    restart(tx: Tx, deliveryId: string, now: number): void {
      tx.update(notifierDeliveries)
        .set({ status: 'pending', attempts: 0, nextAttemptAt: now })
        .where(eq(notifierDeliveries.id, deliveryId))
        .run()
    },
    /** Deletes a batch of events from before a time, with their deliveries; false when none are left. */
    deleteSomeEvents(before: number): boolean {
      return db.transaction((tx) => {
        const next = tx
          .select({ id: notifierEvents.id, bytes: notifierEvents.databaseBytes })
          .from(notifierEvents)
          .where(lte(notifierEvents.createdAt, before))
          .orderBy(asc(notifierEvents.createdAt))
          .limit(MAX_DELETED_EVENTS)
          .all()
        const batch = withinBytes(next, MAX_DELETED_BYTES).map((event) => event.id)
        tx.delete(notifierEvents).where(inArray(notifierEvents.id, batch)).run()
        return batch.length < next.length || next.length === MAX_DELETED_EVENTS
      })
    },
  }
}

const DELIVERY_COLUMNS = {
  id: notifierDeliveries.id,
  type: notifierEvents.type,
  jobId: notifierEvents.jobId,
  status: notifierDeliveries.status,
  attempts: notifierDeliveries.attempts,
  responseStatus: notifierDeliveries.responseStatus,
  error: notifierDeliveries.error,
  createdAt: notifierDeliveries.createdAt,
  lastAttemptAt: notifierDeliveries.lastAttemptAt,
  nextAttemptAt: notifierDeliveries.nextAttemptAt,
}

/** The most events that one transaction deletes. Each has at most one delivery per notifier of a user. */
const MAX_DELETED_EVENTS = 100
