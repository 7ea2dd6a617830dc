import type { ReplyBody, TestService } from './service.ts'
import { until } from './until.ts'

/** Creates a notifier of the owner, or of the user with this key. */
export async function createNotifier(
  service: TestService,
  body: object,
  key = service.key,
): Promise<ReplyBody> {
  const reply = await service.request('POST', '/notifiers', { key, body })
  if (reply.status !== 201) throw new Error(`the notifier was not created: ${JSON.stringify(reply.body)}`)
  return reply.body.notifier
}

/** Waits until the newest deliveries have this status, and there are that many. Newest first. */
export async function untilNotified(
  service: TestService,
  id: string,
  status = 'delivered',
  count = 1,
  key = service.key,
): Promise<ReplyBody[]> {
  return await until(`${count} deliveries are ${status}`, async () => {
    const { deliveries } = (await service.request('GET', `/notifiers/${id}/deliveries`, { key })).body
    const areThere =
      deliveries.length >= count && deliveries.every((each: ReplyBody) => each.status === status)
    return areThere && deliveries
  })
}
