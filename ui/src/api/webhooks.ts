import { request } from './request.ts'
import type { Delivery, PageMeta, Webhook, WebhookEvent, WebhookWithSecret } from './types.ts'

/** The largest page that the service returns. */
const MAX_PAGE_SIZE = 100

/** Returns the user's webhooks, newest first. */
export async function listWebhooks(signal: AbortSignal): Promise<Webhook[]> {
  const { webhooks } = await request<{ webhooks: Webhook[] }>('GET', '/webhooks', { signal })
  return webhooks
}

export interface WebhookSettings {
  readonly url: string
  readonly events: readonly WebhookEvent[]
}

/** Creates a webhook. This response and that of {@link rotateSecret} are the only ones that contain the secret. */
export async function createWebhook(settings: WebhookSettings): Promise<WebhookWithSecret> {
  const { webhook } = await request<{ webhook: WebhookWithSecret }>('POST', '/webhooks', { body: settings })
  return webhook
}

export async function getWebhook(id: string, signal: AbortSignal): Promise<Webhook> {
  const { webhook } = await request<{ webhook: Webhook }>('GET', webhookPath(id), { signal })
  return webhook
}

export async function deleteWebhook(id: string): Promise<void> {
  await request('DELETE', webhookPath(id))
}

/** Gives the webhook a new secret. For 24 hours, the old one signs, too. */
export async function rotateSecret(id: string): Promise<WebhookWithSecret> {
  const { webhook } = await request<{ webhook: WebhookWithSecret }>('POST', `${webhookPath(id)}/rotate`)
  return webhook
}

/** Sends a message of type `ping`. Its delivery shows the result. */
export async function testWebhook(id: string): Promise<void> {
  await request('POST', `${webhookPath(id)}/test`)
}

export interface Deliveries {
  /** Newest first. */
  readonly deliveries: readonly Delivery[]
  /** How many there are, loaded or not. */
  readonly total: number
}

/** Returns the newest `count` deliveries, loaded in as many requests as needed. */
export async function listDeliveries(id: string, count: number, signal: AbortSignal): Promise<Deliveries> {
  const deliveries: Delivery[] = []
  let cursor: string | null = null
  let total = 0
  do {
    const limit = Math.min(count - deliveries.length, MAX_PAGE_SIZE)
    const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) })
    const page: { deliveries: Delivery[]; meta: PageMeta } = await request(
      'GET',
      `${webhookPath(id)}/deliveries?${query}`,
      { signal },
    )
    deliveries.push(...page.deliveries)
    cursor = page.meta.next_cursor
    total = page.meta.total
  } while (cursor !== null && deliveries.length < count)
  return { deliveries, total }
}

/** Sends a delivery again, with all attempts before it. */
export async function redeliver(webhookId: string, deliveryId: string): Promise<void> {
  await request('POST', `${webhookPath(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`)
}

function webhookPath(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`
}
