// test group: long
import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { checkData } from '../support/check-data.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { idOf, startReceiver, verified } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { createWebhook, deliveriesOf, untilDelivered, untilDeliveries } from '../support/webhooks.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const sources = forFile(startSources())

test('a delivery that fails is attempted again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 14 h, then it has failed', async () => {
  await using service = await startService()
  await using receiver = startReceiver()
  receiver.respond(() => new Response('no', { status: 503 }))
  service.stopClock()
  const { id, secret } = await createWebhook(service, receiver.url())
  await service.finishedJob([sources.url('/ok/a')])
  const delaysMs = [5_000, 300_000, 1_800_000, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 14 * HOUR_MS]
  for (const [index, delayMs] of delaysMs.entries()) {
    const [delivery] = await untilDeliveries(service, id, ({ attempts }) => attempts === index + 1)
    expect(delivery).toMatchObject({ status: 'pending', response_status: 503, error: 'HTTP 503' })
    const waitMs = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.last_attempt_at)
    expect(waitMs).toBeWithin(0.9 * delayMs, 1.1 * delayMs + 1)
    service.advance(waitMs)
  }
  const [delivery] = await untilDelivered(service, id, service.key, 'failed')
  expect(delivery).toMatchObject({ attempts: 8, error: 'HTTP 503', next_attempt_at: null })
  expect(receiver.received).toHaveLength(8)
  for (const message of receiver.received) {
    expect(idOf(message)).toBe(delivery.id)
    expect(verified(message, secret).type).toBe('job.completed')
  }
}, 180_000)

test('410 disables the webhook at once, its pending deliveries fail, and a test makes it active again', async () => {
  await using service = await startService()
  // So that the first delivery is not attempted again meanwhile.
  service.stopClock()
  await using receiver = startReceiver()
  receiver.respond(() => new Response('no', { status: 500 }))
  const { id } = await createWebhook(service, receiver.url())
  const get = async () => (await service.request('GET', `/webhooks/${id}`)).body.webhook
  await service.finishedJob([sources.url('/ok/a')])
  await untilDeliveries(service, id, ({ attempts }) => attempts === 1)
  receiver.respond(() => new Response('gone', { status: 410 }))
  await service.finishedJob([sources.url('/404')])
  const [newer, older] = await untilDelivered(service, id, service.key, 'failed')
  expect([newer.error, older.error]).toEqual(['HTTP 410', 'Disabled'])
  expect(await get()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })

  await service.finishedJob([sources.url('/ok/a')])
  expect(await deliveriesOf(service, id)).toHaveLength(2)
  receiver.respond(() => new Response(null, { status: 204 }))
  await service.request('POST', `/webhooks/${id}/test`)
  expect(await get()).toMatchObject({ status: 'active', disabled_at: null, disabled_reason: null })
  await service.finishedJob([sources.url('/ok/a')])
  await untilDeliveries(service, id, ({ status }) => status !== 'pending')
  expect(await deliveriesOf(service, id)).toHaveLength(4)
}, 180_000)

test('no other queued delivery is attempted after a 410', async () => {
  await using service = await startService()
  await using receiver = startReceiver()
  const released = Promise.withResolvers<void>()
  receiver.respond(async () => {
    await released.promise
    return new Response('gone', { status: 410 })
  })
  const { id } = await createWebhook(service, receiver.url())
  for (let count = 0; count < 10; count++) await service.request('POST', `/webhooks/${id}/test`)
  await receiver.untilReceived(2)
  released.resolve()
  await untilDelivered(service, id, service.key, 'failed')
  expect(receiver.received).toHaveLength(2)
})

test('five days without a success disable the webhook', async () => {
  await using service = await startService()
  await using receiver = startReceiver()
  const { id } = await createWebhook(service, receiver.url())
  const failNow = async () => {
    receiver.respond(() => new Response('no', { status: 500 }))
    const { body } = await service.request('POST', `/webhooks/${id}/test`)
    const isDone = (delivery: { id: string; status: string }) =>
      delivery.id !== body.delivery.id || delivery.status === 'failed'
    await untilDeliveries(service, id, isDone)
    return (await service.request('GET', `/webhooks/${id}`)).body.webhook
  }
  await failNow()
  service.advance(4 * DAY_MS)
  expect((await failNow()).status).toBe('active')
  receiver.respond(() => new Response(null, { status: 204 }))
  await service.finishedJob([sources.url('/ok/a')])
  await untilDeliveries(service, id, ({ type, status }) => type === 'ping' || status === 'delivered')
  service.advance(4 * DAY_MS)
  expect((await failNow()).status).toBe('active')
  service.advance(4 * DAY_MS)
  expect((await failNow()).status).toBe('active')
  service.advance(1.1 * DAY_MS)
  expect(await failNow()).toMatchObject({ status: 'disabled', disabled_reason: 'no_success' })
}, 180_000)

test('endpoints of one user that hang forever delay no delivery of another user', async () => {
  await using service = await startService()
  await using hanging = startReceiver()
  await using receiver = startReceiver()
  hanging.respond(() => new Promise(() => {}))
  const key = await service.addUser('slow')
  const hooks = await Promise.all(
    Array.from({ length: 20 }, () => createWebhook(service, hanging.url(), key)),
  )
  // A user may test webhooks only ten times per minute.
  const testOnce = async (id: string, key: string) => {
    service.advance(6_000)
    await service.request('POST', `/webhooks/${id}/test`, { key })
  }
  const startedMs = performance.now()
  for (const { id } of [...hooks, ...hooks, ...hooks]) await testOnce(id, key)
  await hanging.untilReceived(8)
  const { id } = await createWebhook(service, receiver.url())
  for (let count = 0; count < 20; count++) {
    await testOnce(id, service.key)
    await receiver.untilReceived(count + 1)
  }
  await untilDelivered(service, id)
  // An attempt ends after ten seconds, and only then another one is made.
  const periods = Math.floor((performance.now() - startedMs) / 10_000)
  expect(hanging.received.length).toBeWithin(8, 8 * (1 + periods) + 1)
}, 180_000)

test('a message says how the job ended, also when the job was retried or deleted before the attempt', async () => {
  await using service = await startService()
  // So that no delivery is attempted again before the test lets time pass.
  service.stopClock()
  await using receiver = startReceiver()
  receiver.respond(() => new Response('no', { status: 503 }))
  const { id, secret } = await createWebhook(service, receiver.url())
  const completed = await service.finishedJob([sources.url('/ok/a')])
  const failed = await service.finishedJob([sources.url('/404')])
  await untilDeliveries(service, id, ({ attempts }) => attempts === 1)
  await service.request('DELETE', `/jobs/${completed.id}`)
  await service.request('POST', `/jobs/${failed.id}/retry`, {
    body: { replace: [{ position: 0, url: sources.url('/ok/b') }] },
  })
  await service.jobIn(failed.id, ['completed'])
  receiver.respond(() => new Response(null, { status: 204 }))
  service.advance(6_000)
  const deliveries = await untilDelivered(service, id)
  const last = (jobId: string, type: string) => {
    const wanted = deliveries.find((delivery) => delivery.job_id === jobId && delivery.type === type)
    return verified(
      receiver.received.findLast((message) => idOf(message) === wanted.id),
      secret,
    ).data
  }
  expect(last(completed.id, 'job.completed')).toMatchObject({
    status: 'completed',
    zip_size: completed.zip_size,
    download_url: null,
  })
  expect(last(failed.id, 'job.failed')).toMatchObject({
    status: 'failed',
    failure: { code: 'URL_FAILED' },
    errors: failed.errors,
    download_url: null,
  })
  expect(last(failed.id, 'job.completed').download_url).toStartWith(service.origin)
}, 180_000)

test('--base-url is the origin of download links', async () => {
  await using service = await startService({ 'base-url': ['https://zip.example'] })
  await using receiver = startReceiver()
  const { secret } = await createWebhook(service, receiver.url())
  await service.finishedJob([sources.url('/ok/a')])
  const [message] = await receiver.untilReceived(1)
  expect(verified(message, secret).data.download_url).toStartWith('https://zip.example/download/')
})

test('deliveries are deleted after 30 days', async () => {
  await using service = await startService()
  await using receiver = startReceiver()
  const { id } = await createWebhook(service, receiver.url())
  await service.finishedJob([sources.url('/ok/a')])
  await untilDelivered(service, id)
  service.advance(29.9 * DAY_MS)
  await service.app.sweeper.sweepNow()
  expect(await deliveriesOf(service, id)).toHaveLength(1)
  service.advance(0.2 * DAY_MS)
  await service.app.sweeper.sweepNow()
  expect(await deliveriesOf(service, id)).toEqual([])
})

test('the removal of a user removes webhooks, events and deliveries', async () => {
  await using service = await startService()
  const key = await service.addUser('ann')
  await createWebhook(service, 'http://127.0.0.1:1/', key)
  for (let count = 0; count < 30; count++) await service.finishedJob([sources.url('/404')], {}, key)
  const removal = await runCommand(['user', 'remove', 'ann', '--data', service.dataDir])
  expect(removal).toMatchObject({ exitCode: 0, stderr: '' })
  await service.app[Symbol.asyncDispose]()
  using sqlite = new Sqlite(join(service.dataDir, 'holdall.db'), { readonly: true })
  for (const table of ['notifiers', 'notifier_events', 'notifier_deliveries'])
    expect([table, sqlite.query(`SELECT * FROM ${table}`).all()]).toEqual([table, []])
  checkData(service.dataDir)
  await service.restart()
})
