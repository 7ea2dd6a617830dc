import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { checkData } from '../support/check-data.ts'
import { forFile } from '../support/for-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { shortenJournal } from '../support/shorten-journal.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

const sources = forFile(startSources())
const MEGABYTE = 1_000_000

/** A service whose plan Free has these limits, and a user of it. */
async function startFree(limits: object) {
  using dir = tempDir()
  await Bun.write(dir.file('plans.json'), JSON.stringify({ free: limits }))
  const service = await startService({ plans: [dir.file('plans.json')] })
  return { service, key: await service.addUser('small', 'free') }
}

/** 0.8 MB of URLs that can't be fetched. */
const longUrls = (job: number) =>
  Array.from({ length: 100 }, (_, index) => sources.url(`/404?${job}/${index}/`).padEnd(8_192, 'x'))

/** With the rows that are not yet moved from the journal to the file. */
function databaseBytes({ dataDir }: TestService): number {
  shortenJournal(join(dataDir, 'holdall.db'))
  return statSync(join(dataDir, 'holdall.db')).size
}

test('The rows of a user take a limited part of the database, whatever the jobs and webhooks of the user do', async () => {
  const { service, key } = await startFree({ max_database_bytes: 5 * MEGABYTE })
  await using own = service
  for (let count = 0; count < 3; count++)
    await own.request('POST', '/webhooks', { key, body: { url: `https://127.0.0.1:9/${count}` } })
  const created: string[] = []
  for (;;) {
    const { status, body } = await own.request('POST', '/jobs', {
      key,
      body: { urls: longUrls(created.length), fail_on_url_error: false },
    })
    if (status !== 201) {
      expect([status, body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
      expect(body.error.message).toMatch(/free plan.* 5 MB.* Delete jobs/)
      break
    }
    created.push(body.job_id)
    await own.jobIn(body.job_id, ['failed'], key)
  }
  // Of each job, 0.8 MB of URLs and as much in its webhook event.
  expect(created.length).toBeWithin(2, 6)
  expect(databaseBytes(own)).toBeLessThan(4 * 5 * MEGABYTE)
  const [first = ''] = created
  const retried = await own.request('POST', `/jobs/${first}/retry`, { key })
  expect([retried.status, retried.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  const [webhook, ...others] = (await own.request('GET', '/webhooks', { key })).body.webhooks
  const tested = await own.request('POST', `/webhooks/${webhook.id}/test`, { key })
  expect([tested.status, tested.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  // Other users are not affected.
  const other = await own.addUser('other', 'free')
  const body = { urls: [sources.url('/ok/a')] }
  expect((await own.request('POST', '/jobs', { key: other, body })).status).toBe(201)

  for (const id of created) await own.request('DELETE', `/jobs/${id}`, { key })
  for (const { id } of [webhook, ...others]) await own.request('DELETE', `/webhooks/${id}`, { key })
  expect((await own.request('POST', '/jobs', { key, body })).status).toBe(201)
  await own.app.sweeper.sweepNow()
  // Of the file as it is, without moving the journal. Up to 4 MB stay allocated for new rows.
  expect(statSync(join(own.dataDir, 'holdall.db')).size).toBeLessThan(5 * MEGABYTE)
}, 180_000)

test('The rows of a user are counted when jobs end, are retried, deleted or lose their details', async () => {
  await using service = await startService({ 'keep-details': ['1'] })
  const countOf = () => {
    using sqlite = new Sqlite(join(service.dataDir, 'holdall.db'), { readonly: true })
    const row = sqlite.query<{ bytes: number }, []>('SELECT database_bytes AS bytes FROM users').get()
    return row?.bytes ?? Number.NaN
  }
  const before = countOf()
  await service.request('POST', '/webhooks', { body: { url: 'https://127.0.0.1:9/' } })
  const urls = [sources.url(`/ok/${'x'.repeat(1_000)}`), sources.url('/404')]
  const job = await service.finishedJob(urls, { metadata: { note: 'y'.repeat(1_000) } })
  expect(countOf() - before).toBeWithin(4_000, 8_000)
  const replace = [{ position: 1, url: sources.url(`/ok/${'z'.repeat(3_000)}`) }]
  await service.request('POST', `/jobs/${job.id}/retry`, { body: { replace } })
  await service.jobIn(job.id, ['completed'])
  expect(countOf() - before).toBeWithin(8_000, 16_000)
  await service.whileStopped(async () => checkData(service.dataDir))
  const full = countOf()
  service.advance(3 * 86_400_000)
  await service.app.sweeper.sweepNow()
  // Two URLs of 1,000 and 3,000 characters, and their entries.
  expect(full - countOf()).toBeWithin(4_000, 6_000)
  await service.request('DELETE', `/jobs/${job.id}`)
  const { webhooks } = (await service.request('GET', '/webhooks')).body
  await service.request('DELETE', `/webhooks/${webhooks[0].id}`)
  // The retention periods remain until they no longer count against the quota.
  expect(countOf() - before).toBeWithin(0, 1_000)
})

test('Saved logins, and the headers of jobs, count among the rows of a user', async () => {
  await using service = await startService()
  const countOf = () => {
    using sqlite = new Sqlite(join(service.dataDir, 'holdall.db'), { readonly: true })
    const row = sqlite.query<{ bytes: number }, []>('SELECT database_bytes AS bytes FROM users').get()
    return row?.bytes ?? Number.NaN
  }
  const headersOf = (size: number) => [{ name: 'X-Key', value: 'k'.repeat(size) }]
  const origin = new URL(sources.url('/')).origin
  const before = countOf()
  const created = await service.request('POST', '/sites', { body: { origin, headers: headersOf(10_000) } })
  expect(countOf() - before).toBeWithin(10_000, 11_000)
  const path = `/sites/${created.body.site.id}`
  await service.request('PATCH', path, { body: { headers: headersOf(2_000), name: 'Files' } })
  expect(countOf() - before).toBeWithin(2_000, 3_000)
  await service.request('DELETE', path)
  expect(countOf()).toBe(before)

  const headers = [{ origin, headers: headersOf(10_000) }]
  const body = { urls: [sources.url('/slow')], headers }
  const jobId = await service.createJob(body)
  expect(countOf() - before).toBeWithin(11_000, 12_500)
  sources.release()
  await service.jobIn(jobId, ['completed'])
  expect(countOf() - before).toBeWithin(1_000, 2_500)
  await service.whileStopped(async () => checkData(service.dataDir))
})

test('POST /webhooks/:id/test is RATE_LIMITED after ten calls of a user in a minute', async () => {
  await using service = await startService()
  service.stopClock()
  const created = await Promise.all(
    [1, 2].map((n) => service.request('POST', '/webhooks', { body: { url: `https://127.0.0.1:9/${n}` } })),
  )
  const [one, two] = created.map(({ body }) => body.webhook.id)
  const testOf = (id: string) => service.request('POST', `/webhooks/${id}/test`)
  for (let count = 0; count < 10; count++) expect((await testOf(one)).status).toBe(201)
  const refused = await testOf(two)
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 7)
  service.advance(60_000)
  expect((await testOf(two)).status).toBe(201)
})

test('The events of a deleted webhook are deleted, unless another webhook is notified of them, too', async () => {
  await using service = await startService()
  const create = async () =>
    (await service.request('POST', '/webhooks', { body: { url: 'https://127.0.0.1:9/' } })).body.webhook.id
  const both = [await create(), await create()]
  await service.finishedJob([sources.url('/404')])
  const events = () => {
    using sqlite = new Sqlite(join(service.dataDir, 'holdall.db'), { readonly: true })
    return sqlite.query('SELECT count(*) AS count FROM notifier_events').get()
  }
  await service.request('DELETE', `/webhooks/${both[0]}`)
  expect(events()).toEqual({ count: 1 })
  await service.request('DELETE', `/webhooks/${both[1]}`)
  expect(events()).toEqual({ count: 0 })
})

test('A user who has used up the quota keeps no archive longer, and retries no job', async () => {
  const { service, key } = await startFree({ quota_gb_days: 1e-13 })
  await using own = service
  own.stopClock()
  const completed = await own.finishedJob([sources.url('/ok/a')], { expires_in: 3_600 }, key)
  const failed = await own.finishedJob([sources.url('/ok/a'), sources.url('/404')], {}, key)
  const pending = await own.request('POST', '/jobs', {
    key,
    body: { urls: [sources.url('/slow')], expires_in: 600 },
  })
  own.advance(60_000)
  const change = async (id: string, body: object) => {
    const reply = await own.request('PATCH', `/jobs/${id}`, { key, body })
    return [reply.status, reply.body.error?.code]
  }
  const refused = [403, 'QUOTA_EXCEEDED']
  expect(await change(completed.id, { expires_in: 3_600 })).toEqual(refused)
  expect(await change(pending.body.job_id, { expires_in: 601 })).toEqual(refused)
  expect(await change(failed.id, { expires_in: 86_400 })).toEqual(refused)
  const retry = await own.request('POST', `/jobs/${failed.id}/retry`, { key })
  expect([retry.status, retry.body.error.code]).toEqual(refused)
  // Shorter, or only a name, is not longer. What can't be done anyway has its own error.
  expect(await change(completed.id, { expires_in: 3_000 })).toEqual([200, undefined])
  expect(await change(completed.id, { zip_filename: 'other' })).toEqual([200, undefined])
  expect(await change(completed.id, { expires_in: 86_401 })).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  const other = await own.request('POST', `/jobs/${completed.id}/retry`, { key })
  expect([other.status, other.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
  own.advance(4_000_000)
  expect(await change(completed.id, { expires_in: 3_600 })).toEqual([400, 'INVALID_REQUEST'])
  sources.release()
})

test('The history of expired jobs makes room for new ones, the oldest first', async () => {
  const { service, key: browserKey } = await startFree({ max_database_bytes: 40_000 })
  await using own = service
  const { key } = (await own.request('POST', '/api-keys', { key: browserKey })).body.api_key
  const urls = [sources.url('/ok/a'), sources.url('/ok/b')]
  for (let week = 0; week < 16; week++) {
    for (let job = 0; job < 3; job++) {
      const { status, body } = await own.request('POST', '/jobs', { key, body: { urls } })
      expect([status, body.error]).toEqual([201, undefined])
      await own.jobIn(body.job_id, ['completed'], key)
    }
    own.advance(7 * 24 * 3600 * 1000)
    await own.app.sweeper.sweepNow()
  }
  const { body } = await own.request('GET', '/jobs?limit=100', { key })
  expect(body.jobs.length).toBeWithin(3, 40)
})
