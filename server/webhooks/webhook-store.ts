import { and, asc, count, desc, eq, inArray, isNotNull, notExists, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/open.ts'
import { webhookDeliveries, webhookEvents, webhooks } from '../db/schema.ts'
import { MAX_DELETED_BYTES, withinBytes } from '../db/within-bytes.ts'
import { type ListPlace, NEWEST } from '../paging.ts'
import type { Webhook, WebhookWithSecret } from './webhook.ts'

/** The webhooks of users. */
export type WebhookStore = ReturnType<typeof openWebhookStore>

/** The settings of a webhook that is about to be created. */
export interface WebhookToCreate
  extends Pick<WebhookWithSecret, 'id' | 'url' | 'events' | 'secret' | 'createdAt'> {
  readonly userId: string
  readonly origin: string
}

export function openWebhookStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const userId = sql.placeholder('userId')
  const isOwn = and(eq(webhooks.id, id), eq(webhooks.userId, userId))

  const ofUser = eq(webhooks.userId, userId)
  const olderThan = sql`(${webhooks.createdAt}, ${webhooks.id}) < (${sql.placeholder('createdAt')}, ${id})`
  const page = orm
    .select(WEBHOOK_COLUMNS)
    .from(webhooks)
    .where(and(ofUser, olderThan))
    .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    .limit(sql.placeholder('limit'))
    .prepare()
  const total = orm.select({ total: count() }).from(webhooks).where(ofUser).prepare()
  const countOf = (owner: string) => total.get({ userId: owner })?.total ?? 0
  const one = orm.select(WEBHOOK_COLUMNS).from(webhooks).where(isOwn).prepare()
  const nextDeliveries = orm
    .select({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      bytes: webhookEvents.databaseBytes,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(eq(webhookDeliveries.webhookId, id))
    .orderBy(asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id))
    .limit(MAX_DELETED_DELIVERIES)
    .prepare()
  const retire = db.prepareWrite<{ id: string }, { id: string; userId: string; signsUntil: number }>(
    `INSERT INTO webhook_old_secrets (webhook_id, secret, signs_until)
     SELECT id, secret, $signsUntil FROM webhooks WHERE id = $id AND user_id = $userId RETURNING webhook_id AS id`,
  )
  const dropOldest = db.prepareWrite<null, { id: string }>(
    `DELETE FROM webhook_old_secrets WHERE rowid IN (SELECT rowid FROM webhook_old_secrets WHERE webhook_id = $id
       ORDER BY signs_until DESC, rowid DESC LIMIT -1 OFFSET ${MAX_OLD_SECRETS})`,
  )
  return {
    /** Adds a webhook and returns true, unless the user already has `maxWebhooks`. */
    addWithin(maxWebhooks: number, webhook: WebhookToCreate): boolean {
      return db.durably((tx) => {
        if (countOf(webhook.userId) >= maxWebhooks) return false
        tx.insert(webhooks).values(webhook).run()
        return true
      })
    },
    /** Newest first. */
    page: (owner: string, after: ListPlace | null, limit: number): Webhook[] =>
      page.all({ userId: owner, limit, ...(after ?? NEWEST) }),
    count: countOf,
    /** Null when the user has no such webhook. */
    find: (owner: string, webhookId: string): Webhook | null =>
      one.get({ userId: owner, id: webhookId }) ?? null,
    /** Replaces the secret; the one before signs, too, until a time. False when the user has no such webhook. */
    rotate({ id: webhookId, userId: owner, secret, signsUntil }: Rotation): boolean {
      return db.durably((tx) => {
        if (retire.get(tx, { id: webhookId, userId: owner, signsUntil }) === null) return false
        dropOldest.run(tx, { id: webhookId })
        tx.update(webhooks).set({ secret }).where(eq(webhooks.id, webhookId)).run()
        return true
      })
    },
    /** Makes a disabled webhook active again. */
    enable(tx: Tx, webhookId: string): void {
      tx.update(webhooks)
        .set({ disabledAt: null, disabledReason: null, failingSince: null })
        .where(and(eq(webhooks.id, webhookId), isNotNull(webhooks.disabledAt)))
        .run()
    },
    /**
     * Deletes a batch of the deliveries of a webhook, and their events unless other webhooks have deliveries of them; with the
     * last batch the webhook. False when nothing is left.
     */
    deleteSome(webhookId: string): boolean {
      return db.freeing((tx) => {
        const next = nextDeliveries.all({ id: webhookId })
        const batch = withinBytes(next, MAX_DELETED_BYTES)
        const ids = batch.map((delivery) => delivery.id)
        const eventIds = batch.map((delivery) => delivery.eventId)
        tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, ids)).run()
        const ofEvent = tx
          .select({ id: webhookDeliveries.id })
          .from(webhookDeliveries)
          .where(eq(webhookDeliveries.eventId, webhookEvents.id))
        tx.delete(webhookEvents)
          .where(and(inArray(webhookEvents.id, eventIds), notExists(ofEvent)))
          .run()
        if (batch.length < next.length || next.length === MAX_DELETED_DELIVERIES) return true
        tx.delete(webhooks).where(eq(webhooks.id, webhookId)).run()
        return false
      })
    },
  }
}

type Rotation = {
  readonly id: string
  readonly userId: string
  readonly secret: string
  readonly signsUntil: number
}

const WEBHOOK_COLUMNS = {
  id: webhooks.id,
  url: webhooks.url,
  events: webhooks.events,
  createdAt: webhooks.createdAt,
  disabledAt: webhooks.disabledAt,
  disabledReason: webhooks.disabledReason,
}

/** A client that gets no response rotates again, and its receivers still have a secret from before that. */
const MAX_OLD_SECRETS = 9
/** The most deliveries that one transaction deletes, each with its event, in a few milliseconds. */
const MAX_DELETED_DELIVERIES = 500
