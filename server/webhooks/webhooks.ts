import type { UsageMeter } from '../accounts/usage.ts'
import type { User } from '../accounts/user.ts'
import type { Database } from '../db/open.ts'
import { runInBatches } from '../db/run-in-batches.ts'
import { ServiceError } from '../errors.ts'
import { decodeCursor, type PageRequest, pageOf } from '../paging.ts'
import type { Clock } from '../time/clock.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../vocabulary.ts'
import type { DeliveryStore } from './delivery-store.ts'
import type { EventStore } from './event-store.ts'
import { generateSecret } from './signing.ts'
import type { Delivery, Webhook, WebhookWithSecret } from './webhook.ts'
import type { WebhookStore } from './webhook-store.ts'

export interface WebhooksOptions {
  readonly db: Database
  readonly store: WebhookStore
  readonly deliveries: DeliveryStore
  readonly events: Pick<EventStore, 'pinged'>
  readonly usage: Pick<UsageMeter, 'assertRowsWithinLimit'>
  readonly clock: Clock
  /** @throws ServiceError `INVALID_REQUEST` when no attempt to this URL could ever be made */
  checkUrl(url: string): void
  /** Called when a delivery is due now. */
  wake(): void
}

/** A validated request for a webhook. */
export interface NewWebhook {
  readonly url: string
  /** Null for all. */
  readonly events: readonly WebhookEvent[] | null
  /** The origin by which the client has reached the service. */
  readonly origin: string
}

export interface WebhookPage {
  readonly webhooks: readonly Webhook[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

export type Webhooks = ReturnType<typeof openWebhooks>

/** The operations of a user on webhooks. Webhooks of other users are `NOT_FOUND`, as if they did not exist. */
export function openWebhooks(options: WebhooksOptions) {
  const { db, store, deliveries, events, clock } = options

  function found(userId: string, webhookId: string): Webhook {
    const webhook = store.find(userId, webhookId)
    if (webhook === null) throw new ServiceError('NOT_FOUND', 'There is no such webhook.')
    return webhook
  }

  function foundDelivery(webhookId: string, deliveryId: string): Delivery {
    const delivery = deliveries.find(webhookId, deliveryId)
    if (delivery === null) throw new ServiceError('NOT_FOUND', 'There is no such delivery.')
    return delivery
  }

  return {
    /** `INVALID_REQUEST` when the URL is not allowed, `PLAN_LIMIT_EXCEEDED` when the user has too many webhooks. */
    create(userId: string, { url, events, origin }: NewWebhook): WebhookWithSecret {
      options.checkUrl(url)
      const webhook = {
        id: Bun.randomUUIDv7(),
        userId,
        url,
        origin,
        events: WEBHOOK_EVENTS.filter((event) => events?.includes(event) ?? true),
        secret: generateSecret(),
        createdAt: clock(),
      }
      if (!store.addWithin(MAX_WEBHOOKS, webhook)) throw tooManyWebhooks()
      return { ...found(userId, webhook.id), secret: webhook.secret }
    },
    /** A page of the user's webhooks, newest first. */
    list(userId: string, { cursor, limit }: PageRequest): WebhookPage {
      const list = `webhooks of ${userId}`
      const after = cursor === null ? null : decodeCursor(list, cursor)
      const { items, nextCursor } = pageOf(list, store.page(userId, after, limit + 1), limit)
      return { webhooks: items, total: store.count(userId), nextCursor }
    },
    get: found,
    /** Gives the webhook a new secret. The old one signs, too, for a day. */
    rotate(userId: string, webhookId: string): WebhookWithSecret {
      const secret = generateSecret()
      const signsUntil = clock() + OLD_SECRET_MS
      const isRotated = store.rotate({ id: webhookId, userId, secret, signsUntil })
      const webhook = found(userId, webhookId)
      if (!isRotated) throw new Error('a webhook that exists could not be rotated')
      return { ...webhook, secret }
    },
    /** Deletes the webhook and its deliveries, in batches. */
    async remove(userId: string, webhookId: string): Promise<void> {
      found(userId, webhookId)
      await runInBatches(() => store.deleteSome(webhookId))
    },
    /** Sends a `ping` soon. A disabled webhook becomes active again. `PLAN_LIMIT_EXCEEDED` when the user's rows take too much. */
    test(user: User, webhookId: string): Delivery {
      const { id: userId } = user
      found(userId, webhookId)
      options.usage.assertRowsWithinLimit(user)
      const id = Bun.randomUUIDv7()
      db.transaction((tx) => {
        store.enable(tx, webhookId)
        events.pinged(tx, id, { id: webhookId, userId }, clock())
      })
      options.wake()
      return foundDelivery(webhookId, id)
    },
    /** A page of the deliveries of a webhook, newest first. */
    listDeliveries(userId: string, webhookId: string, { cursor, limit }: PageRequest): DeliveryPage {
      found(userId, webhookId)
      const list = `deliveries of ${webhookId}`
      const after = cursor === null ? null : decodeCursor(list, cursor)
      const { items, nextCursor } = pageOf(list, deliveries.page(webhookId, after, limit + 1), limit)
      return { deliveries: items, total: deliveries.count(webhookId), nextCursor }
    },
    /** Sends a delivery again soon, even one that was delivered, and counts its attempts from 0. A disabled webhook becomes active. */
    redeliver(userId: string, webhookId: string, deliveryId: string): Delivery {
      found(userId, webhookId)
      foundDelivery(webhookId, deliveryId)
      db.transaction((tx) => {
        store.enable(tx, webhookId)
        deliveries.restart(tx, deliveryId, clock())
      })
      options.wake()
      return foundDelivery(webhookId, deliveryId)
    },
  }
}

function tooManyWebhooks(): ServiceError {
  return new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `On every plan, a user may have ${MAX_WEBHOOKS} webhooks, and you have that many. Delete one that you no longer use.`,
  )
}

/** Each job that ends has a delivery per webhook, so this limits the deliveries, too. */
const MAX_WEBHOOKS = 20

/** How long the old secret signs, too, after a rotation: time to configure the new one everywhere. */
const OLD_SECRET_MS = 24 * 3_600_000
