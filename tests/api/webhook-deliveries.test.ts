import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { idOf, startReceiver, verified } from '../support/receiver.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { createWebhook, untilDelivered } from '../support/webhooks.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
/** A key of a new user, since most tests count webhooks. */
const newKey = () => service.addUser()

describe('POST /webhooks/:id/rotate', () => {
  test('gives a new secret, and both sign for 24 hours', async () => {
    await using own = await startService()
    await using receiver = startReceiver()
    const { id, secret } = await createWebhook(own, receiver.url())
    const { status, body } = await own.request('POST', `/webhooks/${id}/rotate`)
    expect(status).toBe(200)
    const rotated = body.webhook.secret
    expect(rotated).toMatch(/^whsec_/)
    expect(rotated).not.toBe(secret)
    const send = () => own.request('POST', `/webhooks/${id}/test`)
    await send()
    own.advance(23.9 * 3_600_000)
    await receiver.untilReceived(1)
    await send()
    for (const message of await receiver.untilReceived(2)) {
      expect(message.headers['webhook-signature']?.split(' ')).toHaveLength(2)
      verified(message, secret)
      verified(message, rotated)
    }
    own.advance(0.2 * 3_600_000)
    await send()
    const [, , last] = await receiver.untilReceived(3)
    verified(last, rotated)
    expect(() => verified(last, secret)).toThrow('No matching signature')
  })
})

test('the last nine old secrets sign, too, after several rotations within 24 hours', async () => {
  await using receiver = startReceiver()
  const key = await newKey()
  const { id, secret } = await createWebhook(service, receiver.url(), key)
  const secrets = [secret]
  for (let count = 0; count < 12; count++)
    secrets.push((await service.request('POST', `/webhooks/${id}/rotate`, { key })).body.webhook.secret)
  await service.request('POST', `/webhooks/${id}/test`, { key })
  const [message] = await receiver.untilReceived(1)
  for (const each of secrets.slice(-10)) verified(message, each)
  expect(() => verified(message, secrets.at(-11) ?? '')).toThrow('No matching signature')
})

describe('POST /webhooks/:id/test', () => {
  test('sends a ping', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const { id, secret } = await createWebhook(service, receiver.url(), key)
    const { status, body } = await service.request('POST', `/webhooks/${id}/test`, { key })
    expect([status, body.delivery.type, body.delivery.status]).toEqual([201, 'ping', 'pending'])
    const [message] = await receiver.untilReceived(1)
    expect(idOf(message)).toBe(body.delivery.id)
    expect(verified(message, secret)).toEqual({
      type: 'ping',
      timestamp: body.delivery.created_at,
      data: { webhook_id: id },
    })
  })

  test('is attempted once', async () => {
    await using receiver = startReceiver()
    receiver.respond(() => new Response('no', { status: 500 }))
    const key = await newKey()
    const { id } = await createWebhook(service, receiver.url(), key)
    await service.request('POST', `/webhooks/${id}/test`, { key })
    const [delivery] = await untilDelivered(service, id, key, 'failed')
    expect(delivery).toMatchObject({
      attempts: 1,
      response_status: 500,
      error: 'HTTP 500',
      next_attempt_at: null,
    })
  })
})

describe('GET /webhooks/:id/deliveries', () => {
  test('lists them newest first, page by page', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const { id } = await createWebhook(service, receiver.url(), key)
    const ids: string[] = []
    for (let count = 0; count < 5; count++)
      ids.unshift((await service.request('POST', `/webhooks/${id}/test`, { key })).body.delivery.id)
    const pages: ReplyBody[] = []
    for (let cursor = ''; pages.length < 3; cursor = `&cursor=${pages.at(-1).meta.next_cursor}`) {
      const path = `/webhooks/${id}/deliveries?limit=2${cursor}`
      pages.push((await service.request('GET', path, { key })).body)
    }
    expect(pages.map(({ deliveries }) => deliveries.length)).toEqual([2, 2, 1])
    const listed = pages.flatMap(({ deliveries }) =>
      deliveries.map((delivery: { id: string }) => delivery.id),
    )
    expect(listed).toEqual(ids)
    expect(pages.at(-1).meta).toEqual({ limit: 2, total: 5, next_cursor: null, has_more: false })
    const wrong = await service.request('GET', `/webhooks/${id}/deliveries?cursor=x`, { key })
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe('POST /webhooks/:id/deliveries/:delivery_id/redeliver', () => {
  test('sends a delivery again with the same id', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const { id, secret } = await createWebhook(service, receiver.url(), key)
    await service.finishedJob([sources.url('/ok/a')], {}, key)
    const [delivery] = await untilDelivered(service, id, key)
    const path = `/webhooks/${id}/deliveries/${delivery.id}/redeliver`
    const { status, body } = await service.request('POST', path, { key })
    expect([status, body.delivery.id, body.delivery.status]).toEqual([200, delivery.id, 'pending'])
    const [first, second] = await receiver.untilReceived(2)
    expect(idOf(second)).toBe(idOf(first))
    expect(verified(second, secret)).toEqual(verified(first, secret))
    expect(await untilDelivered(service, id, key)).toMatchObject([{ attempts: 1 }])
  })

  test('is NOT_FOUND for a delivery of another webhook, and for an unknown or malformed id', async () => {
    const key = await newKey()
    const first = await createWebhook(service, 'http://127.0.0.1:1/', key)
    const second = await createWebhook(service, 'http://127.0.0.1:1/', key)
    const { body } = await service.request('POST', `/webhooks/${first.id}/test`, { key })
    for (const [id, deliveryId] of [
      [second.id, body.delivery.id],
      [first.id, crypto.randomUUID()],
      [first.id, 'x'],
    ]) {
      const path = `/webhooks/${id}/deliveries/${deliveryId}/redeliver`
      const reply = await service.request('POST', path, { key })
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    const path = `/webhooks/${first.id}/deliveries/x/redeliver`
    expect((await service.request('POST', path, { key: null })).status).toBe(404)
  })
})
