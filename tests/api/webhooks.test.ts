import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { createWebhook, deliveriesOf, untilDelivered } from '../support/webhooks.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
/** A key of a new user, since most tests count webhooks. */
const newKey = () => service.addUser()

describe('POST /webhooks', () => {
  test('creates a webhook for all events, and shows its secret', async () => {
    const key = await newKey()
    const url = 'https://example.com/hook?a=b'
    const { status, body } = await service.request('POST', '/webhooks', { key, body: { url } })
    expect(status).toBe(201)
    const { secret, ...webhook } = body.webhook
    expect(webhook).toEqual({
      id: expect.any(String),
      url,
      events: ['job.completed', 'job.failed', 'schedule.paused'],
      status: 'active',
      disabled_at: null,
      disabled_reason: null,
      created_at: expect.any(String),
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await service.request('GET', '/webhooks', { key })).body.webhooks).toEqual([webhook])
    const got = await service.request('GET', `/webhooks/${webhook.id}`, { key })
    expect(got.body.webhook).toEqual(webhook)
  })

  test.each([
    ['no url', {}, 'url'],
    ['a malformed url', { url: 'example.com' }, 'url'],
    ['another protocol', { url: 'ftp://example.com/' }, 'url'],
    ['http to a public address', { url: 'http://93.184.215.14/' }, 'url'],
    ['a private address that is not allowed', { url: 'https://10.0.0.1/' }, 'url'],
    ['a private address in another form', { url: 'https://[::ffff:10.0.0.1]/' }, 'url'],
    ['a url of 8,193 characters', { url: `https://example.com/${'a'.repeat(8_173)}` }, 'url'],
    ['no event', { url: 'https://example.com/', events: [] }, 'events'],
    ['an unknown event', { url: 'https://example.com/', events: ['job.started'] }, 'events.0'],
  ])('refuses %s', async (_what, body, path) => {
    const reply = await service.request('POST', '/webhooks', { body })
    expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(reply.body.error.issues[0].path).toBe(path)
  })

  test('accepts http only where the service allows networks', async () => {
    await using strict = await startService({ 'allow-network': [] })
    for (const url of ['http://localhost:9/', 'http://example.com/', 'http://127.0.0.1:9/']) {
      const reply = await strict.request('POST', '/webhooks', { body: { url } })
      expect([url, reply.status]).toEqual([url, 400])
    }
    const key = await newKey()
    await createWebhook(service, 'http://127.0.0.1:9/', key)
    await createWebhook(service, 'http://localhost:9/', key)
  })

  test('allows 20 webhooks per user', async () => {
    const key = await newKey()
    for (let count = 0; count < 20; count++) await createWebhook(service, 'https://example.com/', key)
    const reply = await service.request('POST', '/webhooks', { key, body: { url: 'https://example.com/' } })
    expect([reply.status, reply.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
    const { webhooks } = (await service.request('GET', '/webhooks', { key })).body
    expect(webhooks).toHaveLength(20)
    await service.request('DELETE', `/webhooks/${webhooks[0].id}`, { key })
    await createWebhook(service, 'https://example.com/', key)
  })
})

describe('DELETE /webhooks/:id', () => {
  test('deletes the webhook with its deliveries, and nothing more is sent', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const kept = await createWebhook(service, receiver.url('/kept'), key)
    const { id } = await createWebhook(service, receiver.url('/deleted'), key)
    const { status, body } = await service.request('DELETE', `/webhooks/${id}`, { key })
    expect([status, body.message]).toEqual([200, 'Webhook deleted'])
    await service.finishedJob([sources.url('/ok/a')], {}, key)
    await untilDelivered(service, kept.id, key)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/kept'])
    for (const path of [`/webhooks/${id}`, `/webhooks/${id}/deliveries`])
      expect((await service.request('GET', path, { key })).status).toBe(404)
    expect((await service.request('DELETE', `/webhooks/${id}`, { key })).status).toBe(404)
    expect(await deliveriesOf(service, kept.id, key)).toHaveLength(1)
  })
})
