import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { checkData } from '../support/check-data.ts'
import { runCommand } from '../support/holdall-command.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

const DAY_MS = 86_400_000

test('the URLs and entries of a job are deleted 30 days after its expiry, and the job after a year', async () => {
  await using service = await startService()
  await using sources = startSources()
  const urls = [sources.url('/ok/a'), sources.url('/404')]
  const failed = await service.finishedJob(urls, { metadata: { kept: 'yes' } })
  const completed = await service.finishedJob(urls, { fail_on_url_error: false })
  const get = async (path: string) => (await service.request('GET', path)).body
  const later = async (days: number) => {
    service.advance(days * DAY_MS)
    await service.app.sweeper.sweepNow()
  }
  // Expiry is a day after completion, so this is just less than 30 days later.
  await later(30.9)
  expect((await get(`/jobs/${failed.id}`)).job.urls).toEqual(urls)
  expect((await get(`/jobs/${completed.id}/entries`)).entries).toHaveLength(2)

  await later(0.2)
  for (const { id } of [failed, completed]) {
    const { job } = await get(`/jobs/${id}`)
    expect([job.urls, job.errors, job.url_count]).toEqual([[], undefined, 2])
    expect(await get(`/jobs/${id}/entries`)).toMatchObject({
      entries: [],
      meta: { total: 0, has_more: false },
    })
    expect((await get(`/jobs/${id}/entries?status=failed`)).entries).toEqual([])
  }
  expect((await get(`/jobs/${failed.id}`)).job).toMatchObject({ status: 'failed', metadata: { kept: 'yes' } })
  const retry = await service.request('POST', `/jobs/${failed.id}/retry`)
  expect([retry.status, retry.body.error]).toEqual([
    400,
    {
      code: 'INVALID_REQUEST',
      message: 'The URLs of this job are no longer kept. Create a new job.',
    },
  ])
  using sqlite = new Sqlite(join(service.dataDir, 'holdall.db'), { readonly: true })
  expect(sqlite.query('SELECT count(*) AS rows FROM sources').get()).toEqual({ rows: 0 })
  expect(sqlite.query('SELECT count(*) AS rows FROM entries').get()).toEqual({ rows: 0 })

  const page = await get('/jobs?limit=1')
  expect(page).toMatchObject({ jobs: [{ id: completed.id }], meta: { total: 2, has_more: true } })
  await later(334)
  expect((await get('/jobs/stats')).stats).toMatchObject({ total: 2 })
  await later(1)
  const young = await service.finishedJob([sources.url('/ok/a')])
  expect((await get('/jobs')).jobs).toMatchObject([{ id: young.id }])
  expect(await get(`/jobs?limit=1&cursor=${page.meta.next_cursor}`)).toMatchObject({
    jobs: [],
    meta: { total: 1, next_cursor: null },
  })
  expect((await get('/jobs/stats')).stats).toMatchObject({ completed: 1, failed: 0, total: 1 })
  expect((await service.request('GET', `/jobs/${failed.id}`)).status).toBe(404)
})

test('--keep-details sets how long URLs and entries are kept', async () => {
  await using service = await startService({ 'keep-details': ['2'] })
  await using sources = startSources()
  const { id } = await service.finishedJob([sources.url('/ok/a')])
  const urlsAfter = async (days: number) => {
    service.advance(days * DAY_MS)
    await service.app.sweeper.sweepNow()
    return (await service.request('GET', `/jobs/${id}`)).body.job.urls.length
  }
  expect([await urlsAfter(2.9), await urlsAfter(0.2)]).toEqual([1, 0])
})

test('a job that is retried before its details are deleted keeps them', async () => {
  await using service = await startService()
  await using sources = startSources()
  const urls = [sources.url('/ok/a'), sources.url('/404')]
  const { id } = await service.finishedJob(urls)
  service.advance(20 * DAY_MS)
  await service.app.sweeper.sweepNow()
  await service.request('POST', `/jobs/${id}/retry`)
  await service.jobIn(id, ['failed'])
  service.advance(20 * DAY_MS)
  await service.app.sweeper.sweepNow()
  expect((await service.request('GET', `/jobs/${id}`)).body.job.urls).toEqual(urls)
})

test('revoked keys are deleted after 30 days, except that of a key file, so that the file cannot restore it', async () => {
  using dir = tempDir()
  const keyFile = dir.file('key')
  await using service = await startService({ 'owner-key-file': [keyFile] })
  const key = await service.addUser('ann')
  const count = () => {
    using sqlite = new Sqlite(join(service.dataDir, 'holdall.db'), { readonly: true })
    return sqlite.query('SELECT count(*) AS keys FROM api_keys WHERE revoked_at IS NOT NULL').get()
  }
  // The service of the test has also revoked the key of the owner's browser.
  for (const callerKey of [key, service.key]) {
    const { body } = await service.request('POST', '/api-keys', { key: callerKey, body: {} })
    await service.request('DELETE', `/api-keys/${body.api_key.id}`, { key: callerKey })
  }
  const keyOfFile = (await Bun.file(keyFile).text()).trim()
  const { api_keys } = (await service.request('GET', '/api-keys')).body
  const ofFile = api_keys.find(({ name }: { name: string }) => name === 'Key file')
  await service.request('DELETE', `/api-keys/${ofFile.id}`)
  service.advance(29 * DAY_MS)
  await service.app.sweeper.sweepNow()
  expect(count()).toEqual({ keys: 4 })
  service.advance(2 * DAY_MS)
  await service.app.sweeper.sweepNow()
  expect(count()).toEqual({ keys: 1 })
  await service.restart()
  expect((await service.request('GET', '/me', { key: keyOfFile })).status).toBe(401)
})

test('the removal of a user while the service runs leaves no rows or files of the user', async () => {
  await using service = await startService()
  await using sources = startSources()
  const key = await service.addUser('ann')
  await service.finishedJob([sources.url('/ok/a')], {}, key)
  const create = (path: string) =>
    service.request('POST', '/jobs', { key, body: { urls: Array(3).fill(sources.url(path)) } })
  await create('/404')
  const running = (await create('/slow')).body.job_id
  await service.jobIn(running, ['processing'], key)
  const removal = await runCommand(['user', 'remove', 'ann', '--data', service.dataDir])
  expect(removal).toMatchObject({ exitCode: 0, stderr: '' })
  expect((await service.request('GET', '/jobs', { key })).status).toBe(401)
  sources.release()
  await service.app.sweeper.sweepNow()
  await service.app[Symbol.asyncDispose]()
  using sqlite = new Sqlite(join(service.dataDir, 'holdall.db'), { readonly: true })
  for (const table of ['jobs', 'sources', 'entries', 'retention_periods', 'usage_hours']) {
    expect([table, sqlite.query(`SELECT * FROM ${table}`).all()]).toEqual([table, []])
  }
  checkData(service.dataDir)
  await service.restart()
})
