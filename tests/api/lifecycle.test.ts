import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { exists, stat } from 'node:fs/promises'
import { archivesIn } from '../support/archives-in.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const DAY_MS = 86_400_000

describe('3. States and transitions', () => {
  test('a job that is running when the service stops continues at the next start', async () => {
    await using service = await startService()
    await using sources = startSources()
    const jobId = await service.createJob({ urls: [sources.url('/slow')] })
    await service.jobIn(jobId, ['processing'])
    await service.restart()
    sources.release()
    expect(await service.jobIn(jobId, ['completed'])).toMatchObject({ file_count: 1 })
  })

  test('at most --jobs jobs run at the same time, and users take turns', async () => {
    await using service = await startService({ jobs: ['1'] })
    await using sources = startSources()
    const other = await service.addUser('other')
    const create = (path: string, key?: string) => service.createJob({ urls: [sources.url(path)] }, key)
    const first = await create('/slow')
    await service.jobIn(first, ['processing'])
    const waiting = [await create('/ok/1'), await create('/ok/2')]
    const theirs = await create('/ok/3', other)
    expect((await service.request('GET', '/jobs/stats')).body.stats).toMatchObject({
      processing: 1,
      pending: 2,
    })
    sources.release()
    const ended = await Promise.all([
      service.jobIn(theirs, ['completed'], other),
      ...waiting.map((id) => service.jobIn(id, ['completed'])),
    ])
    const times = ended.map((job) => Date.parse(job.completed_at))
    expect(times[0]).toBeLessThanOrEqual(Math.min(...times.slice(1)))
  })

  test('when a job expires, its archive is deleted and it has no download_url', async () => {
    await using service = await startService()
    await using sources = startSources()
    const job = await service.finishedJob([sources.url('/ok/a')], { expires_in: 300 })
    const archive = `${service.dataDir}/archives/${job.id}.zip`
    expect(await exists(archive)).toBe(true)
    service.advance(300_000)
    const refused = await fetch(job.download_url)
    expect([refused.status, (await refused.text()).includes('EXPIRED_TOKEN')]).toEqual([403, true])
    const { body } = await service.request('GET', `/jobs/${job.id}`)
    expect(body.job).toMatchObject({ status: 'completed', expires_at: job.expires_at })
    expect(body.job.download_url).toBeUndefined()
    await service.app.sweeper.sweep(Date.parse(job.expires_at))
    expect(archivesIn(service.dataDir)).toEqual([])
  })

  test('a failed job whose checkpoint has expired is retried from scratch', async () => {
    await using service = await startService()
    await using sources = startSources()
    const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/404')])
    expect(job.file_count).toBe(1)
    service.advance(DAY_MS)
    await service.app.sweeper.sweep(Date.now() + DAY_MS)
    expect((await service.request('GET', `/jobs/${job.id}`)).body.job.file_count).toBe(0)
    const rows = await service.request('GET', `/jobs/${job.id}/entries`)
    expect(rows.body.entries.map((entry: { status: string }) => entry.status)).toEqual(['waiting', 'failed'])
    const retried = await service.request('POST', `/jobs/${job.id}/retry`)
    expect(retried.status).toBe(200)
    expect(await service.jobIn(job.id, ['failed'])).toMatchObject({ errors: [{ error: 'HTTP 404' }] })
  })
})

describe('8. Limits', () => {
  test('PLAN_LIMIT_EXCEEDED for the number of URLs and the retention names the plan, the limit and the value', async () => {
    await using service = await startService()
    const key = await service.addUser('small', 'free')
    const refused = async (body: object) => {
      const reply = await service.request('POST', '/jobs', { key, body })
      expect([reply.status, reply.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
      return reply.body.error.message
    }
    const urls = Array.from({ length: 101 }, () => 'http://127.0.0.1:9/')
    expect(await refused({ urls })).toMatch(/free.*100.*101/)
    expect(await refused({ urls: ['http://127.0.0.1:9/'], expires_in: 86_401 })).toMatch(/free.*86400.*86401/)
  })

  test('the checkpoint of a failed job counts against the quota until the job is deleted', async () => {
    await using service = await startService()
    service.advanceToMidMonth()
    await using sources = startSources()
    const usage = async () => (await service.request('GET', '/me')).body.usage.gb_days
    const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/404')])
    service.stopClock()
    const began = await usage()
    service.advance(60_000)
    expect(await usage()).toBeCloseTo(began + (job.zip_size * 60_000) / 1e9 / DAY_MS, 13)
    await service.request('DELETE', `/jobs/${job.id}`)
    const ended = await usage()
    service.advance(60_000)
    expect(await usage()).toBe(ended)
  })

  test('usage stops growing when an archive is deleted, and a new job over the monthly quota is QUOTA_EXCEEDED', async () => {
    const plans = `${import.meta.dir}/../support/tiny-quota.json`
    await using service = await startService({ plans: [plans] })
    service.advanceToMidMonth()
    await using sources = startSources()
    const key = await service.addUser('small', 'free')
    const usage = async () => (await service.request('GET', '/me', { key })).body.usage.gb_days
    const job = await service.finishedJob([sources.url('/ok/a')], {}, key)
    service.advance(3_600_000)
    const used = await usage()
    expect(used).toBeGreaterThan(0)
    await service.request('DELETE', `/jobs/${job.id}`, { key })
    const deleted = await usage()
    service.advance(3_600_000)
    expect(await usage()).toBe(deleted)
    const reply = await service.request('POST', '/jobs', { key, body: { urls: [sources.url('/ok/a')] } })
    expect([reply.status, reply.body.error.code]).toEqual([403, 'QUOTA_EXCEEDED'])
    // The message names the plan, the quota and the usage.
    expect(reply.body.error.message).toMatch(/free plan .* GB-days .*\d{4}-\d\d has used \d/)
    expect((await service.request('POST', '/jobs', { key, body: { urls: ['x'] } })).status).toBe(400)
  })
})

describe('When the disk is nearly full', () => {
  test('a new job is UNAVAILABLE, but an invalid one is still INVALID_REQUEST', async () => {
    await using service = await startService()
    const create = (body: object) => service.request('POST', '/jobs', { body })
    service.setFreeBytes(() => 96 * 1024 * 1024 - 1)
    const refused = await create({ urls: ['http://127.0.0.1:9/'] })
    expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE'])
    expect((await create({ urls: [] })).status).toBe(400)
    service.setFreeBytes(() => 96 * 1024 * 1024)
    expect((await create({ urls: ['http://127.0.0.1:9/'] })).status).toBe(201)
  })

  test('the service deletes checkpoints of failed jobs, the oldest first, but no archives', async () => {
    await using service = await startService()
    await using sources = startSources()
    const kept = await service.finishedJob([sources.url('/ok/a')])
    const urls = [sources.url('/ok/a'), sources.url('/404')]
    const older = await service.finishedJob(urls)
    const newer = await service.finishedJob(urls, { expires_in: 172_800 })
    const get = async (id: string) => (await service.request('GET', `/jobs/${id}`)).body.job
    const archives = `${service.dataDir}/archives`
    service.setFreeBytes(() => 256 * 1024 * 1024)
    await service.app.sweeper.sweep(Date.now())
    expect((await get(older.id)).file_count).toBe(1)
    // The disk has space again once the first checkpoint is deleted.
    service.setFreeBytes(() => (existsSync(`${archives}/${older.id}.zip.part`) ? 0 : 256 * 1024 * 1024))
    await service.app.sweeper.sweep(Date.now())
    expect((await get(newer.id)).file_count).toBe(1)
    expect((await get(older.id)).file_count).toBe(0)
    expect(await exists(`${archives}/${kept.id}.zip`)).toBe(true)
    service.setFreeBytes(null)
    await service.request('POST', `/jobs/${older.id}/retry`)
    expect(await service.jobIn(older.id, ['failed'])).toMatchObject({ file_count: 1 })
  })
})

describe('The data directory', () => {
  test('is created on the first start, readable only by its owner', async () => {
    await using service = await startService()
    const modeOf = async (name: string) =>
      ((await stat(`${service.dataDir}${name}`)).mode & 0o777).toString(8)
    expect(await modeOf('')).toBe('700')
    expect(await modeOf('/archives')).toBe('700')
    for (const name of [
      '/holdall.db',
      '/holdall.db-wal',
      '/signing-secrets.json',
      '/service-origin',
      '/service.lock',
    ]) {
      expect([name, await modeOf(name)]).toEqual([name, '600'])
    }
  })
})
