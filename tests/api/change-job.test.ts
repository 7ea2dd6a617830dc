import { describe, expect, test } from 'bun:test'
import { archivesIn } from '../support/archives-in.ts'
import { checkData } from '../support/check-data.ts'
import { openEventStream } from '../support/event-stream.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const HOUR_MS = 3_600_000

const sources = forFile(startSources())
const service = forFile(await startService())

const finished = (settings: object = {}, key = service.key) =>
  service.finishedJob([sources.url('/ok/a')], settings, key)

const change = (id: string, body: object, key = service.key) =>
  service.request('PATCH', `/jobs/${id}`, { body, key })

async function codeOf(id: string, body: object, key = service.key) {
  const reply = await change(id, body, key)
  return [reply.status, reply.body.error.code]
}

describe('PATCH /jobs/:id', () => {
  test('renames the ZIP: the job, its download and its list follow', async () => {
    const job = await finished({ zip_filename: 'before' })
    const reply = await change(job.id, { zip_filename: 'Köln.ZIP' })
    expect(reply.status).toBe(200)
    expect(reply.body.job).toEqual({ ...job, zip_filename: 'Köln.zip' })
    const download = await fetch(job.download_url)
    expect(download.headers.get('content-disposition')).toContain("filename*=UTF-8''K%C3%B6ln.zip")
    const { jobs } = (await service.request('GET', '/jobs?limit=1')).body
    expect(jobs[0]).toMatchObject({ id: job.id, zip_filename: 'Köln.zip' })
  })

  test('keeps an archive longer or shorter, counted from now, and links that were given out follow', async () => {
    await using own = await startService()
    own.stopClock()
    const job = await own.finishedJob([sources.url('/ok/a')], { expires_in: 3_600 })
    own.advance(HOUR_MS / 2)
    const longer = (await own.request('PATCH', `/jobs/${job.id}`, { body: { expires_in: 7_200 } })).body.job
    expect(Date.parse(longer.expires_at) - Date.parse(job.expires_at)).toBe(1.5 * HOUR_MS)
    own.advance(HOUR_MS)
    expect((await fetch(job.download_url)).status).toBe(200)
    expect((await fetch(longer.download_url)).status).toBe(200)
    const shorter = (await own.request('PATCH', `/jobs/${job.id}`, { body: { expires_in: 300 } })).body.job
    own.advance(300_000)
    for (const { download_url } of [job, longer, shorter]) {
      expect(JSON.parse(await (await fetch(download_url)).text()).error.code).toBe('EXPIRED_TOKEN')
    }
    await own.app.sweeper.sweep(Date.parse(shorter.expires_at))
    expect(archivesIn(own.dataDir)).toEqual([])
  })

  test('the quota counts an archive until its new expiry', async () => {
    await using own = await startService()
    own.advanceToMidMonth()
    own.stopClock()
    const usage = async () => (await own.request('GET', '/me')).body.usage.gb_days
    const job = await own.finishedJob([sources.url('/ok/a')], { expires_in: 7_200 })
    await own.request('PATCH', `/jobs/${job.id}`, { body: { expires_in: 300 } })
    own.advance(300_000)
    const ended = await usage()
    expect(ended).toBeCloseTo((job.zip_size * 300_000) / 1e9 / 86_400_000, 15)
    own.advance(HOUR_MS)
    expect(await usage()).toBe(ended)
  })

  test('leaves the rows consistent', async () => {
    await using own = await startService()
    const kept = await own.finishedJob([sources.url('/ok/a')])
    const failed = await own.finishedJob([sources.url('/ok/a'), sources.url('/404')])
    for (const { id } of [kept, failed]) {
      expect((await own.request('PATCH', `/jobs/${id}`, { body: { expires_in: 600 } })).status).toBe(200)
    }
    await own.whileStopped(async () => checkData(own.dataDir))
  })

  test('changes a job that has not ended: its expiry counts from its end', async () => {
    await using own = startSources()
    const jobId = await service.createJob({ urls: [own.url('/slow')] })
    const changed = (await change(jobId, { zip_filename: 'later', expires_in: 600 })).body.job
    expect(changed).toMatchObject({ zip_filename: 'later.zip', expires_at: null })
    own.release()
    const job = await service.jobIn(jobId, ['completed'])
    expect(job.zip_filename).toBe('later.zip')
    expect(Date.parse(job.expires_at) - Date.parse(job.completed_at)).toBe(600_000)
  })

  test('live events report it: the list gets the job, and the stream of a running job a snapshot', async () => {
    await using own = startSources()
    const jobId = await service.createJob({ urls: [own.url('/slow')] })
    await using all = await openEventStream(`${service.origin}/events`, service.key)
    await using one = await openEventStream(`${service.origin}/jobs/${jobId}/events`, service.key)
    await one.until('snapshot')
    await change(jobId, { zip_filename: 'renamed' })
    expect((await one.until('snapshot')).data.zip_filename).toBe('renamed.zip')
    for (let name = ''; name !== 'renamed.zip'; ) name = (await all.until('job')).data.zip_filename
  })

  test('an expired job, and a checkpoint that has expired, are INVALID_REQUEST', async () => {
    await using own = await startService()
    const job = await own.finishedJob([sources.url('/ok/a')], { expires_in: 300 })
    const failed = await own.finishedJob([sources.url('/404')], { expires_in: 300 })
    own.advance(300_000)
    for (const { id } of [job, failed]) {
      const reply = await own.request('PATCH', `/jobs/${id}`, { body: { expires_in: 3_600 } })
      expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    }
    await own.app.sweeper.sweep(Date.now() + 300_000)
    const swept = await own.request('PATCH', `/jobs/${job.id}`, { body: { zip_filename: 'x' } })
    expect(swept.body.error.code).toBe('INVALID_REQUEST')
  })

  test('a deleted job, an unknown job and a job of another user are NOT_FOUND', async () => {
    const job = await finished()
    const otherUsersKey = await service.addUser('other-user')
    expect(await codeOf(job.id, { zip_filename: 'x' }, otherUsersKey)).toEqual([404, 'NOT_FOUND'])
    await service.request('DELETE', `/jobs/${job.id}`)
    expect(await codeOf(job.id, { zip_filename: 'x' })).toEqual([404, 'NOT_FOUND'])
    expect(await codeOf(crypto.randomUUID(), { zip_filename: 'x' })).toEqual([404, 'NOT_FOUND'])
  })

  test('the limits of the plan apply, and a refused change changes nothing', async () => {
    const key = await service.addUser('small', 'free')
    const job = await finished({}, key)
    const wanted = { zip_filename: 'x', expires_in: 86_401 }
    expect(await codeOf(job.id, wanted, key)).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
    expect((await service.request('GET', `/jobs/${job.id}`, { key })).body.job).toEqual(job)
  })

  test.each<[object, string]>([
    [{}, 'zip_filename'],
    [{ zip_filename: null, expires_in: null }, 'zip_filename'],
    [{ zip_filename: '' }, 'zip_filename'],
    [{ zip_filename: 'a/b' }, 'zip_filename'],
    [{ zip_filename: 'x'.repeat(256) }, 'zip_filename'],
    [{ expires_in: 299 }, 'expires_in'],
    [{ expires_in: 5_184_001 }, 'expires_in'],
    [{ expires_in: '600' }, 'expires_in'],
  ])('refuses %j with INVALID_REQUEST', async (body, path) => {
    const job = await finished()
    const reply = await change(job.id, body)
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({ code: 'INVALID_REQUEST', issues: [{ path }] })
  })
})
