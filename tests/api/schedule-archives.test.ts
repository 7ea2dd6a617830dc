import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { downloadArchive } from '../support/archive.ts'
import { newFolder, startChangingSite } from '../support/changing-site.ts'
import { forFile } from '../support/for-file.ts'
import { createSchedule, runNow, runsOf, scheduleOf } from '../support/schedules.ts'
import { type ReplyBody, startService } from '../support/service.ts'

const site = forFile(startChangingSite())
const service = forFile(await startService())

const folder = (files: Readonly<Record<string, string>>) => newFolder(site, files)

describe('The archives of a schedule', () => {
  test('are the newest ones: an older one goes when a newer one is complete, and not before', async () => {
    const files = folder({ 'a.bin': 'one' })
    const { id } = await createSchedule(service, { urls: files.urls, keep: 2, on_gone: 'fail' })
    const jobs: ReplyBody[] = []
    for (let run = 0; run < 3; run++) jobs.push(await runNow(service, id))
    const kept = async () =>
      await Promise.all(
        jobs.map(
          async (job) =>
            (await service.request('GET', `/jobs/${job.id}`)).body.job.download_url !== undefined,
        ),
      )
    expect(await kept()).toEqual([false, true, true])
    files.set('a.bin', 500)
    await runNow(service, id)
    expect(await kept()).toEqual([false, true, true])
    await service.app.sweeper.sweepNow()
    expect(await Bun.file(`${service.dataDir}/archives/${jobs[0].id}.zip`).exists()).toBe(false)
    expect(await Bun.file(`${service.dataDir}/archives/${jobs[1].id}.zip`).exists()).toBe(true)
  })

  test('do not expire by the clock', async () => {
    const files = folder({ 'a.bin': 'one' })
    const { id } = await createSchedule(service, { urls: files.urls })
    const job = await runNow(service, id)
    await service.app.sweeper.sweep(Date.now() + 300 * 86_400_000)
    const { body } = await service.request('GET', `/jobs/${job.id}`)
    expect(body.job.expires_at).toBeNull()
    expect((await fetch(body.job.download_url)).status).toBe(200)
  })

  test('count in the quota until they go', async () => {
    const key = await service.addUser('measured')
    const files = folder({ 'a.bin': 'x'.repeat(100_000) })
    const { id } = await createSchedule(service, { urls: files.urls, keep: 1 }, key)
    await runNow(service, id, key)
    await runNow(service, id, key)
    const kept = (await service.request('GET', '/jobs', { key })).body.jobs.filter(
      ({ expires_at }: ReplyBody) => expires_at === null,
    )
    expect(kept).toHaveLength(1)
  })

  test('are opened by the same link, the newest complete one', async () => {
    const files = folder({ 'a.bin': 'one' })
    const { id, latest_url } = await createSchedule(service, { urls: files.urls, on_gone: 'fail' })
    const token = latest_url.split('/').at(-1)
    const opened = async () => await (await fetch(`${service.origin}/download/${token}`)).bytes()
    const none = await service.request('GET', `/download/${token}/archive`, { key: null })
    expect(none.body.error.code).toBe('EXPIRED_TOKEN')
    for (const content of ['one', 'two', 'three']) {
      files.set('a.bin', content)
      const job = await runNow(service, id)
      expect(Buffer.from(await opened())).toEqual(
        Buffer.from((await downloadArchive(job.download_url)).bytes),
      )
    }
    const before = await opened()
    files.set('a.bin', 404)
    await runNow(service, id)
    expect(await opened()).toEqual(before)
    expect((await scheduleOf(service, id)).latest_url).toBe(latest_url)
  })
})

describe('A ready archive that is repeated', () => {
  test('is the first of the schedule: kept, opened by the link, and the base of the next run', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two' })
    const first = await service.finishedJob(files.urls)
    const schedule = await createSchedule(service, { urls: files.urls, keep: 1, first_job_id: first.id })
    expect(schedule.last_run).toMatchObject({ job_id: first.id, status: 'completed', changes: null })
    const { body: kept } = await service.request('GET', `/jobs/${first.id}`)
    expect(kept.job).toMatchObject({ schedule_id: schedule.id, expires_at: null })
    const latest = await fetch(schedule.latest_url.replace('/share/', '/download/'))
    expect(await latest.bytes()).toEqual(new Uint8Array((await downloadArchive(first.download_url)).bytes))

    site.sentBytes()
    files.set('b.bin', 'two, changed')
    const second = await runNow(service, schedule.id)
    expect(second).toMatchObject({
      base: { job_id: first.id },
      changes: { added: 0, changed: 1, unchanged: 1 },
    })
    expect(site.sentBytes()).toBe('two, changed'.length)
    const { body: gone } = await service.request('GET', `/jobs/${first.id}`)
    expect(gone.job.download_url).toBeUndefined()
    expect(await runsOf(service, schedule.id)).toMatchObject([{ job_id: second.id }, { job_id: first.id }])
  })

  test('must be one of the user that is still kept, and belongs to one schedule', async () => {
    const files = folder({ 'a.bin': 'one' })
    const job = await service.finishedJob(files.urls)
    const body = { name: 'a', urls: files.urls, every: 'day', time_zone: 'UTC', first_job_id: job.id }
    const create = async (key?: string) =>
      (await service.request('POST', '/schedules', { body, ...(key === undefined ? {} : { key }) })).status
    expect(await create(await service.addUser())).toBe(404)
    expect(await create()).toBe(201)
    expect(await create()).toBe(404)
    const failed = await service.finishedJob([files.url('none')])
    const { status } = await service.request('POST', '/schedules', {
      body: { ...body, first_job_id: failed.id },
    })
    expect(status).toBe(404)
  })

  test('counts in the quota for as long as it is kept', async () => {
    const key = await service.addUser('repeating')
    const files = folder({ 'a.bin': 'x'.repeat(100_000) })
    const job = await service.finishedJob(files.urls, { expires_in: 300 }, key)
    const { id } = await createSchedule(service, { urls: files.urls, first_job_id: job.id }, key)
    using db = new Database(`${service.dataDir}/holdall.db`, { readonly: true })
    const removedAt = () =>
      db
        .query<{ at: number }, [string]>('SELECT removed_at AS at FROM retention_periods WHERE job_id = ?')
        .get(job.id)?.at
    expect(removedAt()).toBeGreaterThan(Date.now() + 10 * 365 * 86_400_000)
    await service.request('DELETE', `/schedules/${id}`, { key })
    expect(removedAt()).toBeWithin(Date.now(), Date.now() + 61 * 86_400_000)
  })
})
