import { expect } from 'bun:test'
import { idOf, startReceiver, verified } from '../../support/receiver.ts'
import { createWebhook } from '../../support/webhooks.ts'
import type { Call, Context } from './call.ts'

const URL_OF_RECEIVER = 'https://example.com/hook'

/** Manages webhooks, and receives messages. */
export function webhookCalls({ service, sources }: Context): readonly Call[] {
  return [
    [
      'GET /webhooks, POST /webhooks, GET /webhooks/:id, DELETE /webhooks/:id',
      'unchanged',
      async () => {
        const events = ['job.completed', 'job.failed']
        const made = await service.request('POST', '/webhooks', { body: { url: URL_OF_RECEIVER, events } })
        expect([made.status, made.body.webhook.secret]).toEqual([201, expect.any(String)])
        const path = `/webhooks/${made.body.webhook.id}`
        const { body } = await service.request('GET', path)
        expect(body.webhook).toMatchObject({ url: URL_OF_RECEIVER, events })
        expect((await service.request('GET', '/webhooks')).body.webhooks).toEqual([body.webhook])
        expect((await service.request('DELETE', path)).status).toBe(200)
        expect((await service.request('GET', path)).status).toBe(404)
      },
    ],
    [
      'POST /webhooks/:id/rotate, GET /webhooks/:id/deliveries',
      'unchanged',
      async () => {
        const { id, secret } = await createWebhook(service, URL_OF_RECEIVER)
        const rotated = await service.request('POST', `/webhooks/${id}/rotate`)
        expect(rotated.body.webhook.secret).not.toBe(secret)
        expect((await service.request('GET', `/webhooks/${id}/deliveries`)).body.deliveries).toEqual([])
        await service.request('DELETE', `/webhooks/${id}`)
      },
    ],
    [
      'https URLs',
      'unchanged',
      async () => {
        const body = { url: 'http://93.184.215.14/hook' }
        expect((await service.request('POST', '/webhooks', { body })).status).toBe(400)
      },
    ],
    [
      'body of a message',
      'differs',
      async () => {
        await using receiver = startReceiver()
        const key = await service.addUser('notified')
        const { secret } = await createWebhook(service, receiver.url(), key)
        const made = await service.finishedJob([sources.url('/ok/a')], { metadata: { order: '7' } }, key)
        const [first] = await receiver.untilReceived(1)
        const { type, data } = verified(first, secret)
        expect([type, idOf(first)]).toEqual(['job.completed', expect.any(String)])
        expect(data).toMatchObject({
          job_id: made.id,
          status: 'completed',
          url_count: 1,
          file_count: 1,
          errors: [],
          download_url: made.download_url,
          metadata: { order: '7' },
        })
      },
    ],
  ]
}
