import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startChangingSite } from '../support/changing-site.ts'
import { forFile } from '../support/for-file.ts'
import { startMailServer } from '../support/mail-server.ts'
import { createNotifier, untilNotified } from '../support/notifiers.ts'
import { startNtfyServer } from '../support/ntfy-server.ts'
import { startReceiver, verified } from '../support/receiver.ts'
import { createSchedule, runNow } from '../support/schedules.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const mailServer = forFile(await startMailServer())
const service = forFile(await startService({ smtp: [mailServer.url] }))
/** A key of a new user, since most tests count notifiers. */
const newKey = () => service.addUser()
const TOPIC = 'https://ntfy.example.org/my-topic'

describe('POST /notifiers', () => {
  test.each([
    [
      'a webhook',
      { kind: 'webhook', url: 'https://example.com/hook' },
      { secret: expect.stringMatching(/^whsec_/) },
    ],
    ['an ntfy topic', { kind: 'ntfy', url: TOPIC, token: 'tk_secret' }, { has_token: true }],
    ['an e-mail address', { kind: 'email', to: 'ann+zip@example.org' }, {}],
  ])('creates %s for all occasions', async (_what, body, more) => {
    const key = await newKey()
    const created = await service.request('POST', '/notifiers', { key, body })
    expect(created.status).toBe(201)
    const { token: _, ...shown } = { token: null, ...body }
    expect(created.body.notifier).toEqual({
      ...shown,
      id: expect.any(String),
      on: ['completed', 'failed'],
      status: 'active',
      disabled_at: null,
      disabled_reason: null,
      created_at: expect.any(String),
      ...more,
    })
    const { secret: _secret, ...notifier } = created.body.notifier
    const { body: list } = await service.request('GET', '/notifiers', { key })
    expect(list).toMatchObject({ notifiers: [notifier], kinds: ['webhook', 'ntfy', 'email'] })
    expect((await service.request('GET', `/notifiers/${notifier.id}`, { key })).body.notifier).toEqual(
      notifier,
    )
  })

  test.each([
    ['no kind', { url: TOPIC }, 'kind'],
    ['an unknown kind', { kind: 'sms', to: '123' }, 'kind'],
    ['a webhook without a url', { kind: 'webhook' }, 'url'],
    ['a topic at a private address', { kind: 'ntfy', url: 'https://10.0.0.1/topic' }, 'url'],
    ['a topic over http', { kind: 'ntfy', url: 'http://93.184.215.14/topic' }, 'url'],
    ['an ntfy server without a topic', { kind: 'ntfy', url: 'https://ntfy.example.org/' }, 'url'],
    ['a password in the URL of a topic', { kind: 'ntfy', url: 'https://a:b@ntfy.example.org/topic' }, 'url'],
    ['a token with a line break', { kind: 'ntfy', url: TOPIC, token: 'a\r\nX-Evil: b' }, 'token'],
    ['no address', { kind: 'email' }, 'to'],
    ['two addresses', { kind: 'email', to: 'a@example.org, b@example.org' }, 'to'],
    ['an address with a line break', { kind: 'email', to: 'a@example.org\r\nBcc: b@example.org' }, 'to'],
    ['an address with a name', { kind: 'email', to: 'Ann <a@example.org>' }, 'to'],
    ['no occasion', { kind: 'email', to: 'a@example.org', on: [] }, 'on'],
    ['an unknown occasion', { kind: 'email', to: 'a@example.org', on: ['started'] }, 'on.0'],
  ])('refuses %s', async (_what, body, path) => {
    const reply = await service.request('POST', '/notifiers', { body })
    expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(reply.body.error.issues[0].path).toBe(path)
  })

  test('refuses e-mail where the service has no mail server, and says what its owner can do', async () => {
    await using without = await startService()
    expect((await without.request('GET', '/notifiers')).body.kinds).toEqual(['webhook', 'ntfy'])
    const reply = await without.request('POST', '/notifiers', {
      body: { kind: 'email', to: 'a@example.org' },
    })
    expect(reply.body.error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'This service sends no e-mail. Its owner can name a mail server in the settings.',
      issues: [{ path: 'kind' }],
    })
  })

  test('allows 20 notifiers per user, webhooks among them', async () => {
    const key = await newKey()
    const url = 'https://example.com/'
    for (let count = 0; count < 10; count++)
      await service.request('POST', '/webhooks', { key, body: { url } })
    for (let count = 0; count < 10; count++) await createNotifier(service, { kind: 'ntfy', url: TOPIC }, key)
    const reply = await service.request('POST', '/notifiers', { key, body: { kind: 'ntfy', url: TOPIC } })
    expect([reply.status, reply.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  })

  test('of kind webhook creates one of /webhooks, whose messages are signed', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const created = await createNotifier(
      service,
      { kind: 'webhook', url: receiver.url(), on: ['completed'] },
      key,
    )
    const { webhooks } = (await service.request('GET', '/webhooks', { key })).body
    expect(webhooks).toMatchObject([{ id: created.id, events: ['job.completed'] }])
    await service.finishedJob([sources.url('/ok/a')], {}, key)
    const [message] = await receiver.untilReceived(1)
    expect(verified(message, created.secret).type).toBe('job.completed')
  })
})

describe('Notifiers of other kinds', () => {
  test('are not found among webhooks', async () => {
    const key = await newKey()
    const { id } = await createNotifier(service, { kind: 'ntfy', url: TOPIC }, key)
    expect((await service.request('GET', '/webhooks', { key })).body).toMatchObject({
      webhooks: [],
      meta: { total: 0 },
    })
    for (const [method, path] of [
      ['GET', `/webhooks/${id}`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhooks/${id}/rotate`],
      ['POST', `/webhooks/${id}/test`],
      ['DELETE', `/webhooks/${id}`],
    ] as const)
      expect([path, (await service.request(method, path, { key })).status]).toEqual([path, 404])
  })

  test('are of their user alone', async () => {
    const { id } = await createNotifier(service, { kind: 'ntfy', url: TOPIC }, await newKey())
    const key = await newKey()
    for (const [method, path] of [
      ['GET', `/notifiers/${id}`],
      ['PATCH', `/notifiers/${id}`],
      ['GET', `/notifiers/${id}/deliveries`],
      ['POST', `/notifiers/${id}/test`],
      ['DELETE', `/notifiers/${id}`],
    ] as const) {
      const body = method === 'PATCH' ? { on: ['failed'] } : undefined
      expect([path, (await service.request(method, path, { key, body })).status]).toEqual([path, 404])
    }
  })
})

describe('PATCH /notifiers/:id', () => {
  test('changes what is given', async () => {
    const key = await newKey()
    const mail = await createNotifier(service, { kind: 'email', to: 'a@example.org' }, key)
    const changed = await service.request('PATCH', `/notifiers/${mail.id}`, {
      key,
      body: { to: 'b@example.org', on: ['failed'] },
    })
    expect(changed.body.notifier).toEqual({ ...mail, to: 'b@example.org', on: ['failed'] })
    const same = await service.request('PATCH', `/notifiers/${mail.id}`, { key, body: {} })
    expect(same.body.notifier).toEqual(changed.body.notifier)
  })

  test('sends a token nowhere else: with another url it must be given anew', async () => {
    await using server = startNtfyServer('tk_new')
    const key = await newKey()
    const body = { kind: 'ntfy', url: TOPIC, token: 'tk_old' }
    const { id } = await createNotifier(service, body, key)
    const patch = (body: object) => service.request('PATCH', `/notifiers/${id}`, { key, body })
    const url = server.topicUrl('other')
    expect((await patch({ url })).body.error).toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [{ path: 'token' }],
    })
    expect((await patch({ url, token: 'tk_new' })).body.notifier).toMatchObject({ url, has_token: true })
    await service.request('POST', `/notifiers/${id}/test`, { key })
    await server.untilPublished(1)
    expect((await patch({ token: null })).body.notifier).toMatchObject({ url, has_token: false })
  })

  test.each([
    ['a token for an e-mail address', { token: 'tk_x' }, 'token'],
    ['a URL in place of an address', { url: 'https://example.com/' }, 'url'],
    ['another malformed address', { to: 'nobody' }, 'to'],
  ])('refuses %s', async (_what, body, path) => {
    const { id } = await createNotifier(service, { kind: 'email', to: 'a@example.org' })
    const reply = await service.request('PATCH', `/notifiers/${id}`, { body })
    expect([reply.status, reply.body.error.issues[0].path]).toEqual([400, path])
  })
})

describe('A notifier of kind ntfy', () => {
  test('publishes to its topic when an archive is ready, with a link to the page for receivers', async () => {
    await using server = startNtfyServer('tk_right')
    const key = await newKey()
    await createNotifier(service, { kind: 'ntfy', url: server.topicUrl('zips'), token: 'tk_right' }, key)
    const urls = [sources.url('/ok/a'), sources.url('/status/404?token=secret')]
    const job = await service.finishedJob(
      urls,
      { zip_filename: 'Grüße – 日本語', fail_on_url_error: false },
      key,
    )
    const [message] = await server.untilPublished(1)
    expect(message).toMatchObject({
      topic: 'zips',
      title: 'Grüße – 日本語.zip is ready, but 1 link failed',
      click: job.share_url,
      tags: ['warning'],
      priority: 4,
    })
    expect(message?.message).toMatch(/^1 file, \d+ B\.\n1 of 2 links failed\.\nKept until .* UTC\.$/)
  })

  test('tells of failed jobs with a link to their page, and of nothing that it was not asked for', async () => {
    await using server = startNtfyServer()
    const key = await newKey()
    await createNotifier(service, { kind: 'ntfy', url: server.topicUrl('bad'), on: ['failed'] }, key)
    await service.finishedJob([sources.url('/ok/a')], {}, key)
    const job = await service.finishedJob([sources.url('/status/404')], { zip_filename: 'x' }, key)
    const [message, ...others] = await server.untilPublished(1)
    expect(others).toEqual([])
    expect(message).toMatchObject({
      title: 'x.zip could not be packed',
      click: `${service.origin}/archives/${job.id}`,
    })
    expect(message?.message).toContain('1 of 1 link failed.')
  })

  test('shows in its deliveries why a server refuses it, and 410 disables it', async () => {
    await using server = startNtfyServer('tk_right')
    const { id } = await createNotifier(service, {
      kind: 'ntfy',
      url: server.topicUrl('a'),
      token: 'tk_wrong',
    })
    await service.request('POST', `/notifiers/${id}/test`)
    const [refused] = await untilNotified(service, id, 'failed')
    expect(refused).toMatchObject({ type: 'ping', response_status: 403, error: 'HTTP 403' })
    server.answer(410)
    await service.request('POST', `/notifiers/${id}/test`)
    await untilNotified(service, id, 'failed', 2)
    expect((await service.request('GET', `/notifiers/${id}`)).body.notifier).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    })
  })

  test('has its token sealed in the database, and never in a response or the log', async () => {
    const token = 'tk_neverseen'
    const { id } = await createNotifier(service, { kind: 'ntfy', url: TOPIC, token })
    const replies = [
      await service.request('GET', '/notifiers'),
      await service.request('GET', `/notifiers/${id}`),
      await service.request('PATCH', `/notifiers/${id}`, { body: { url: `${TOPIC}2`, token } }),
    ]
    expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain(token)
    expect(service.logged.join('\n')).not.toContain(token)
    using database = new Database(join(service.dataDir, 'holdall.db'), { readonly: true })
    const rows = database.query('SELECT * FROM notifiers').values().flat()
    expect(rows.map((value) => Buffer.from(String(value)).toString()).join()).not.toContain(token)
    const sealed = database.query('SELECT sealed_token FROM notifiers WHERE id = ?').values(id)[0]?.[0]
    expect(sealed instanceof Uint8Array && Buffer.from(sealed).includes(token)).toBe(false)
  })
})

test('A notifier of what has changed is told of runs of schedules with other files than before, and once', async () => {
  await using server = startNtfyServer()
  using site = startChangingSite()
  const key = await newKey()
  site.set('/a.bin', 'one')
  await createNotifier(service, { kind: 'ntfy', url: server.topicUrl('changed'), on: ['changed'] }, key)
  await createNotifier(
    service,
    { kind: 'ntfy', url: server.topicUrl('both'), on: ['completed', 'changed'] },
    key,
  )
  const { id } = await createSchedule(service, { urls: [site.url('/a.bin')] }, key)
  await runNow(service, id, key)
  await runNow(service, id, key)
  site.set('/a.bin', 'two')
  await runNow(service, id, key)
  await service.finishedJob([sources.url('/ok/a')], {}, key)
  const published = await server.untilPublished(6)
  const changesTo = (topic: string) =>
    published
      .filter((each) => each.topic === topic)
      .map(({ message }) => message.split('\n')[1]?.replace(/^Kept .*/, 'no schedule'))
      .toSorted()
  expect(changesTo('changed')).toEqual(['1 changed.', '1 new.'])
  expect(changesTo('both')).toEqual(['1 changed.', '1 new.', 'Nothing has changed.', 'no schedule'])
})

test('POST /notifiers/:id/test shares its ten calls per minute with webhooks', async () => {
  await using own = await startService()
  own.stopClock()
  const webhook = await own.request('POST', '/webhooks', { body: { url: 'https://127.0.0.1:9/' } })
  const { id } = await createNotifier(own, { kind: 'ntfy', url: 'https://127.0.0.1:9/topic' })
  for (let count = 0; count < 5; count++) {
    expect((await own.request('POST', `/webhooks/${webhook.body.webhook.id}/test`)).status).toBe(201)
    expect((await own.request('POST', `/notifiers/${id}/test`)).status).toBe(201)
  }
  const reply = await own.request('POST', `/notifiers/${id}/test`)
  expect([reply.status, reply.body.error.code]).toEqual([429, 'RATE_LIMITED'])
  expect(reply.headers.get('retry-after')).not.toBeNull()
})
