import type { ReplyBody, TestService } from './service.ts'
import { until } from './until.ts'

/** Creates a webhook of the owner, or of the user with this key. */
export async function createWebhook(
  service: TestService,
  url: string,
  key = service.key,
  events?: readonly string[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const { status, body } = await service.request('POST', '/webhooks', { key, body: { url, events } })
  if (status !== 201) throw new Error(`the webhook was not created: ${JSON.stringify(body)}`)
  return body.webhook
}

/** The newest deliveries of a webhook. */
export async function deliveriesOf(
  service: TestService,
  id: string,
  key = service.key,
): Promise<ReplyBody[]> {
  return (await service.request('GET', `/webhooks/${id}/deliveries`, { key })).body.deliveries
}

/** Waits until there are deliveries and all of them have this status. */
export async function untilDelivered(
  service: TestService,
  id: string,
  key = service.key,
  status = 'delivered',
): Promise<ReplyBody[]> {
  return untilDeliveries(service, id, (delivery) => delivery.status === status, key)
}

/** Waits until there are deliveries and the condition holds for each. */
export async function untilDeliveries(
  service: TestService,
  id: string,
  condition: (delivery: ReplyBody) => boolean,
  key = service.key,
): Promise<ReplyBody[]> {
  return await until('the deliveries are as expected', async () => {
    const deliveries = await deliveriesOf(service, id, key)
    return deliveries.length > 0 && deliveries.every(condition) && deliveries
  })
}
