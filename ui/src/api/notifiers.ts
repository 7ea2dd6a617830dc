import { type Loaded, loadPages } from './load-pages.ts'
import { request } from './request.ts'
import type {
  Delivery,
  NewNotifier,
  Notifier,
  NotifierChanges,
  NotifierKind,
  NotifierSettings,
  PageMeta,
  WebhookWithSecret,
} from './types.ts'

export interface NotifierList {
  /** Newest first. */
  readonly notifiers: Notifier[]
  /** What the service can send. */
  readonly kinds: NotifierKind[]
}

export function listNotifiers(signal: AbortSignal): Promise<NotifierList> {
  return request<NotifierList>('GET', '/notifiers', { signal })
}

/** Creates a notifier. This response and that of {@link rotateSecret} are the only ones that contain the secret of a webhook. */
export async function createNotifier(body: NotifierSettings): Promise<NewNotifier> {
  const { notifier } = await request<{ notifier: NewNotifier }>('POST', '/notifiers', { body })
  return notifier
}

export async function getNotifier(id: string, signal: AbortSignal): Promise<Notifier> {
  const { notifier } = await request<{ notifier: Notifier }>('GET', notifierPath(id), { signal })
  return notifier
}

export async function changeNotifier(id: string, body: NotifierChanges): Promise<void> {
  await request('PATCH', notifierPath(id), { body })
}

export async function deleteNotifier(id: string): Promise<void> {
  await request('DELETE', notifierPath(id))
}

/** Gives a webhook a new secret. For 24 hours, the old one signs, too. */
export async function rotateSecret(id: string): Promise<WebhookWithSecret> {
  const path = `/webhooks/${encodeURIComponent(id)}/rotate`
  const { webhook } = await request<{ webhook: WebhookWithSecret }>('POST', path)
  return webhook
}

/** Sends a test. Its delivery, which is pending, will show the result. */
export async function testNotifier(id: string): Promise<Delivery> {
  const { delivery } = await request<{ delivery: Delivery }>('POST', `${notifierPath(id)}/test`)
  return delivery
}

/** Returns the newest `count` deliveries, newest first. */
export function listDeliveries(id: string, count: number, signal: AbortSignal): Promise<Loaded<Delivery>> {
  return loadPages(
    {
      path: `${notifierPath(id)}/deliveries`,
      itemsOf: (page: { deliveries: Delivery[]; meta: PageMeta }) => page.deliveries,
      count,
    },
    signal,
  )
}

/** Sends a delivery again, and gives it all its attempts again. */
export async function redeliver(notifierId: string, deliveryId: string): Promise<void> {
  await request('POST', `${notifierPath(notifierId)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`)
}

function notifierPath(id: string): string {
  return `/notifiers/${encodeURIComponent(id)}`
}
