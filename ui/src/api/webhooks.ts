import { type Loaded, loadPages } from './load-pages.ts'
import { request } from './request.ts'
import type { Delivery, PageMeta, Webhook, WebhookSettings, WebhookWithSecret } from './types.ts'

/** Returns the user's webhooks, newest first. */
export async function listWebhooks(signal: AbortSignal): Promise<Webhook[]> {
  const { webhooks } = await request<{ webhooks: Webhook[] }>('GET', '/webhooks', { signal })
  return webhooks
}

/** Creates a webhook. This response and that of {@link rotateSecret} are the only ones that contain the secret. */
export async function createWebhook(body: WebhookSettings): Promise<WebhookWithSecret> {
  const { webhook } = await request<{ webhook: WebhookWithSecret }>('POST', '/webhooks', { body })
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

/** Returns the newest `count` deliveries, newest first. */
export function listDeliveries(id: string, count: number, signal: AbortSignal): Promise<Loaded<Delivery>> {
  return loadPages(
    {
      path: `${webhookPath(id)}/deliveries`,
      itemsOf: (page: { deliveries: Delivery[]; meta: PageMeta }) => page.deliveries,
      count,
    },
    signal,
  )
}

/** Sends a delivery again, and gives it all its attempts again. */
export async function redeliver(webhookId: string, deliveryId: string): Promise<void> {
  await request('POST', `${webhookPath(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`)
}

function webhookPath(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`
}
