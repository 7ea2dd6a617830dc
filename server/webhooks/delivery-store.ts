import { and, asc, count, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/open.ts'
import { webhookDeliveries, webhookEvents } from '../db/schema.ts'
import { MAX_DELETED_BYTES, withinBytes } from '../db/within-bytes.ts'
import { type ListPlace, NEWEST } from '../paging.ts'
import type { Delivery } from './webhook.ts'

/** The deliveries that the owners of webhooks see. */
export type DeliveryStore = ReturnType<typeof openDeliveryStore>

export function openDeliveryStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const webhookId = sql.placeholder('webhookId')
  const ofWebhook = eq(webhookDeliveries.webhookId, webhookId)
  const olderThan = sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < (${sql.placeholder('createdAt')}, ${id})`
  const deliveries = () =>
    orm
      .select(DELIVERY_COLUMNS)
      .from(webhookDeliveries)
      .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))

  const page = deliveries()
    .where(and(ofWebhook, olderThan))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(sql.placeholder('limit'))
    .prepare()
  const total = orm.select({ total: count() }).from(webhookDeliveries).where(ofWebhook).prepare()
  const one = deliveries()
    .where(and(eq(webhookDeliveries.id, id), ofWebhook))
    .prepare()
  return {
    /** Newest first. */
    page(ofId: string, after: ListPlace | null, limit: number): Delivery[] {
      return page.all({ webhookId: ofId, limit, ...(after ?? NEWEST) })
    },
    count: (ofId: string): number => total.get({ webhookId: ofId })?.total ?? 0,
    /** Null when the webhook has no such delivery. */
    find: (ofId: string, deliveryId: string): Delivery | null =>
      one.get({ webhookId: ofId, id: deliveryId }) ?? null,
    /** any -> pending: its attempts are counted from 0. */
    restart(tx: Tx, deliveryId: string, now: number): void {
      tx.update(webhookDeliveries)
        .set({ status: 'pending', attempts: 0, nextAttemptAt: now })
        .where(eq(webhookDeliveries.id, deliveryId))
        .run()
    },
    /** Deletes a batch of events from before a time, with their deliveries; false when none are left. */
    deleteSomeEvents(before: number): boolean {
      return db.transaction((tx) => {
        const next = tx
          .select({ id: webhookEvents.id, bytes: webhookEvents.databaseBytes })
          .from(webhookEvents)
          .where(lte(webhookEvents.createdAt, before))
          .orderBy(asc(webhookEvents.createdAt))
          .limit(MAX_DELETED_EVENTS)
          .all()
        const batch = withinBytes(next, MAX_DELETED_BYTES).map((event) => event.id)
        tx.delete(webhookEvents).where(inArray(webhookEvents.id, batch)).run()
        return batch.length < next.length || next.length === MAX_DELETED_EVENTS
      })
    },
  }
}

const DELIVERY_COLUMNS = {
  id: webhookDeliveries.id,
  type: webhookEvents.type,
  jobId: webhookEvents.jobId,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  responseStatus: webhookDeliveries.responseStatus,
  error: webhookDeliveries.error,
  createdAt: webhookDeliveries.createdAt,
  lastAttemptAt: webhookDeliveries.lastAttemptAt,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
}

/** The most events that one transaction deletes. Each has at most one delivery per webhook of a user. */
const MAX_DELETED_EVENTS = 100
