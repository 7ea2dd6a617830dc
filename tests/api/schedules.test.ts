import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { startChangingSite } from '../support/changing-site.ts'
import { forFile } from '../support/for-file.ts'
import { createSchedule, runNow, runsOf, scheduleOf } from '../support/schedules.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

const site = forFile(startChangingSite())
const service = forFile(await startService())
const freeKey = await service.addUser('thrifty', 'free')

site.set('/a', 'the first file')
site.set('/b', 'the second file')
const urls = [site.url('/a'), site.url('/b')]

const create = (body: object, key = service.key) => service.request('POST', '/schedules', { body, key })
const complete = { name: 'Prices', urls, every: 'day', time_zone: 'Europe/Berlin' }

describe('POST /schedules', () => {
  test('creates an active schedule with its defaults', async () => {
    const { status, body } = await create(complete)
    expect(status).toBe(201)
    expect(body.schedule).toMatchObject({
      id: expect.any(String),
      name: 'Prices',
      status: 'active',
      paused_reason: null,
      every: 'day',
      time_zone: 'Europe/Berlin',
      keep: 4,
      reuse: 'unchanged',
      on_gone: 'keep',
      zip_filename: '{name} {date} {time}',
      fail_on_url_error: false,
      url_count: 2,
      urls,
      page: null,
      failed_runs: 0,
      last_run: null,
      latest_url: expect.stringMatching(/\/share\/.{80}$/),
    })
    const inMs = Date.parse(body.schedule.next_run_at) - Date.now()
    expect(inMs).toBeWithin(22 * 3_600_000, 25 * 3_600_000)
  })

  test('takes files with names, and any of five fields of cron', async () => {
    const files = [{ url: urls[0], filename: 'x/a.txt' }, { url: urls[1] }]
    const { body } = await create({ ...complete, urls: undefined, files, every: { cron: '0 6 * * 1' } })
    expect(body.schedule).toMatchObject({ urls, files, every: { cron: '0 6 * * 1' }, cron: '0 6 * * 1' })
    const next = new Date(body.schedule.next_run_at)
    expect(
      next.toLocaleString('sv', { timeZone: 'Europe/Berlin', weekday: 'short', hour: '2-digit' }),
    ).toMatch(/06/)
    expect(next.getTime()).toBeGreaterThan(Date.now())
  })

  test.each([
    ['no list', { urls: undefined }, 'urls'],
    ['two lists', { page: { url: urls[0] } }, 'urls'],
    ['no name', { name: undefined }, 'name'],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, 'time_zone'],
    ['an unknown interval', { every: 'year' }, 'every'],
    ['six fields of cron', { every: { cron: '0 0 6 * * 1' } }, 'every.cron'],
    ['a minute of 61', { every: { cron: '61 6 * * 1' } }, 'every.cron'],
    ['a day that never comes', { every: { cron: '0 6 30 2 *' } }, 'every.cron'],
    ['a nickname of cron', { every: { cron: '@daily' } }, 'every.cron'],
    ['no archives to keep', { keep: 0 }, 'keep'],
    ['a hundred and one archives', { keep: 101 }, 'keep'],
    ['contradicting options', { on_gone: 'leave_out', fail_on_url_error: true }, 'fail_on_url_error'],
    ['a name of the ZIP with a slash', { zip_filename: 'a/b' }, 'zip_filename'],
  ])('refuses %s', async (_, change, path) => {
    const { status, body } = await create({ ...complete, ...change })
    expect(status).toBe(400)
    expect(body.error.code).toBe('INVALID_REQUEST')
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
  })

  test.each([
    ['free', 'hour', freeKey],
    ['pro', { cron: '*/30 * * * *' }, service.key],
    ['pro', { cron: '0,59 6 * * 1' }, service.key],
  ])('keeps the shortest interval of the plan %s', async (plan, every, key) => {
    const { status, body } = await create({ ...complete, every }, key)
    expect(status).toBe(403)
    expect(body.error.code).toBe('PLAN_LIMIT_EXCEEDED')
    expect(body.error.message).toContain(`The ${plan} plan runs a schedule every`)
  })

  test('keeps the number of URLs of the plan', async () => {
    const { body } = await create({ ...complete, urls: Array(101).fill(urls[0]) }, freeKey)
    expect(body.error.code).toBe('PLAN_LIMIT_EXCEEDED')
  })

  test('allows a hundred schedules of a user', async () => {
    const key = await service.addUser('busy')
    for (let count = 0; count < 100; count++) await createSchedule(service, { urls }, key)
    const { status, body } = await create(complete, key)
    expect([status, body.error?.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
    const { body: first } = await service.request('GET', '/schedules?limit=60', { key })
    const { body: second } = await service.request(
      'GET',
      `/schedules?limit=60&cursor=${first.meta.next_cursor}`,
      {
        key,
      },
    )
    expect([first.schedules.length, second.schedules.length, second.meta.total]).toEqual([60, 40, 100])
    expect(second.meta.has_more).toBe(false)
  })
})

describe('A schedule', () => {
  test('of another user is not found', async () => {
    const { id } = await createSchedule(service, { urls })
    const replies = await Promise.all([
      service.request('GET', `/schedules/${id}`, { key: freeKey }),
      service.request('PATCH', `/schedules/${id}`, { key: freeKey, body: { name: 'x' } }),
      service.request('DELETE', `/schedules/${id}`, { key: freeKey }),
      service.request('POST', `/schedules/${id}/run`, { key: freeKey }),
      service.request('GET', `/schedules/${id}/runs`, { key: freeKey }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  })

  test('changes in what is given, and stays as it is in the rest', async () => {
    const before = await createSchedule(service, { urls, metadata: { team: 'a' } })
    const change = { name: 'Lists', keep: 2, urls: [urls[1]], every: { cron: '30 7 * * *' } }
    const { body } = await service.request('PATCH', `/schedules/${before.id}`, { body: change })
    expect(body.schedule).toEqual({
      ...before,
      ...change,
      cron: '30 7 * * *',
      url_count: 1,
      next_run_at: expect.any(String),
    })
    expect(body.schedule.next_run_at).not.toBe(before.next_run_at)
    const { body: renamed } = await service.request('PATCH', `/schedules/${before.id}`, {
      body: { name: 'Again' },
    })
    expect(renamed.schedule.next_run_at).toBe(body.schedule.next_run_at)
  })

  test('that is paused has no next run, and gets one when it is resumed', async () => {
    const { id, next_run_at } = await createSchedule(service, { urls })
    const { body: paused } = await service.request('PATCH', `/schedules/${id}`, {
      body: { status: 'paused' },
    })
    expect(paused.schedule).toMatchObject({ status: 'paused', next_run_at: null, paused_reason: null })
    const { body: active } = await service.request('PATCH', `/schedules/${id}`, {
      body: { status: 'active' },
    })
    expect(active.schedule).toMatchObject({ status: 'active', next_run_at })
  })

  test('that is deleted leaves its archives, which then expire', async () => {
    const { id, latest_url } = await createSchedule(service, { urls })
    const job = await runNow(service, id)
    expect(job.expires_at).toBeNull()
    expect((await service.request('DELETE', `/schedules/${id}`)).status).toBe(200)
    expect((await service.request('GET', `/schedules/${id}`)).status).toBe(404)
    const { body } = await service.request('GET', `/jobs/${job.id}`)
    expect(body.job.schedule_id).toBeUndefined()
    expect(Date.parse(body.job.expires_at) - Date.now()).toBeWithin(59 * 86_400_000, 60 * 86_400_000 + 1)
    expect((await fetch(body.job.download_url)).status).toBe(200)
    const token = latest_url.split('/').at(-1)
    const { body: gone } = await service.request('GET', `/download/${token}/archive`, { key: null })
    expect(gone.error.code).toBe('EXPIRED_TOKEN')
  })
})

describe('A run', () => {
  test('is a job with the options of the schedule, and a name with its date', async () => {
    await using own = await startService()
    // No minute ends between its name and its creation.
    own.stopClock()
    const { id } = await createSchedule(own, {
      name: 'Price lists: EU',
      urls,
      metadata: { team: 'a' },
      zip_filename: '{name}, {date} at {time}',
    })
    const job = await runNow(own, id)
    const [date, time] = new Date(job.created_at)
      .toLocaleString('sv', { timeZone: 'Europe/Berlin' })
      .split(' ')
    expect(job).toMatchObject({
      status: 'completed',
      schedule_id: id,
      urls,
      zip_filename: `Price lists_ EU, ${date} at ${time?.slice(0, 5).replace(':', '')}.zip`,
      metadata: { team: 'a' },
      changes: { added: 2, changed: 0, unchanged: 0, kept: 0, gone: 0 },
    })
    const schedule = await scheduleOf(own, id)
    expect(schedule.last_run).toEqual({
      job_id: job.id,
      started_at: job.created_at,
      ended_at: job.completed_at,
      status: 'completed',
      failure: null,
      changes: job.changes,
      kept_from: null,
    })
    expect(await runsOf(own, id)).toEqual([schedule.last_run])
  })

  test('never overlaps another one', async () => {
    await using sources = startSources()
    const { id } = await createSchedule(service, { urls: [sources.url('/slow')] })
    const { body: first } = await service.request('POST', `/schedules/${id}/run`)
    const { status, body: second } = await service.request('POST', `/schedules/${id}/run`)
    expect([status, second.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(await scheduleOf(service, id)).toMatchObject({
      last_run: { job_id: first.job_id, status: 'running' },
    })
    sources.release()
    await service.jobIn(first.job_id, ['completed'])
    expect(await runNow(service, id)).toMatchObject({ status: 'completed' })
  })

  test('goes on when its schedule is deleted, and its archive expires as any other', async () => {
    await using sources = startSources()
    const { id } = await createSchedule(service, { urls: [sources.url('/slow')] })
    const { body } = await service.request('POST', `/schedules/${id}/run`)
    await service.jobIn(body.job_id, ['processing'])
    expect((await service.request('DELETE', `/schedules/${id}`)).status).toBe(200)
    sources.release()
    const job = await service.jobIn(body.job_id, ['completed', 'failed'])
    expect(job).toMatchObject({ status: 'completed', expires_at: expect.any(String) })
    expect(job.schedule_id).toBeUndefined()
  })

  test('of a schedule that is deleted just then is not created, or becomes an ordinary job', async () => {
    const long = Array.from({ length: 5_000 }, (_, index) => site.url(`/none-${index}`))
    const { id } = await createSchedule(service, { urls: long })
    const begun = service.request('POST', `/schedules/${id}/run`)
    const deleted = await service.request('DELETE', `/schedules/${id}`)
    expect([(await begun).status, deleted.status]).toBeOneOf([
      [200, 200],
      [404, 200],
    ])
    using db = new Database(`${service.dataDir}/holdall.db`, { readonly: true })
    for (const table of ['jobs', 'schedule_runs'])
      expect(db.query(`SELECT id FROM ${table} WHERE schedule_id = ?`).all(id)).toEqual([])
    if ((await begun).status === 200) await service.request('DELETE', `/jobs/${(await begun).body.job_id}`)
  })

  test('that has failed is not retried while another one is under way', async () => {
    site.set('/retried', 404)
    const { id } = await createSchedule(service, { urls: [site.url('/retried')] })
    const failed = await runNow(service, id)
    expect(failed.status).toBe('failed')
    await using sources = startSources()
    await service.request('PATCH', `/schedules/${id}`, { body: { urls: [sources.url('/slow')] } })
    const { body } = await service.request('POST', `/schedules/${id}/run`)
    const retried = await service.request('POST', `/jobs/${failed.id}/retry`)
    expect([retried.status, retried.body.error.message]).toEqual([
      400,
      'Another run of this schedule is under way. Wait for its end.',
    ])
    await service.request('DELETE', `/jobs/${body.job_id}`)
    expect((await service.request('POST', `/jobs/${failed.id}/retry`)).status).toBe(200)
  })

  test('whose job is deleted before its end has failed, and the next one begins', async () => {
    await using sources = startSources()
    const { id } = await createSchedule(service, { urls: [sources.url('/slow')] })
    const { body } = await service.request('POST', `/schedules/${id}/run`)
    await service.request('DELETE', `/jobs/${body.job_id}`)
    expect(await runsOf(service, id)).toMatchObject([{ status: 'failed', failure: { code: 'DELETED' } }])
    expect((await service.request('POST', `/schedules/${id}/run`)).status).toBe(200)
  })

  test('sends the headers of the schedule to their origin', async () => {
    const seen: (string | null)[] = []
    using door = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        seen.push(request.headers.get('x-key'))
        return new Response('inside')
      },
    })
    const origin = `http://127.0.0.1:${door.port}`
    const headers = [{ origin, headers: [{ name: 'X-Key', value: 'sesame' }] }]
    const schedule = await createSchedule(service, { urls: [`${origin}/a`], headers })
    expect(schedule.headers).toEqual([{ origin, header_names: ['X-Key'] }])
    expect(JSON.stringify(schedule)).not.toContain('sesame')
    await runNow(service, schedule.id)
    expect(seen).toEqual(['sesame'])
  })
})

describe('What schedules take in the database', () => {
  test('counts for their owner, until they are deleted', async () => {
    using dir = tempDir()
    await Bun.write(dir.file('plans.json'), '{"pro":{"max_database_bytes":30000}}')
    await using small = await startService({ plans: [dir.file('plans.json')] })
    const long = Array.from({ length: 100 }, (_, index) => site.url(`/${'x'.repeat(300)}/${index}`))
    const { id } = await createSchedule(small, { urls: long })
    const { status, body } = await small.request('POST', '/schedules', { body: complete })
    expect([status, body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
    expect((await small.request('PATCH', `/schedules/${id}`, { body: { urls } })).body.error.code).toBe(
      'PLAN_LIMIT_EXCEEDED',
    )
    await small.request('DELETE', `/schedules/${id}`)
    expect((await small.request('POST', '/schedules', { body: complete })).status).toBe(201)
  })

  test('goes with their owner', async () => {
    const key = await service.addUser('leaver')
    const { id } = await createSchedule(service, { urls }, key)
    await runNow(service, id, key)
    const { body } = await service.request('GET', '/users?limit=100')
    const leaver = body.users.find(({ name }: { name: string }) => name === 'leaver')
    expect((await service.request('DELETE', `/users/${leaver.id}`)).status).toBe(200)
    using db = new Database(`${service.dataDir}/holdall.db`, { readonly: true })
    for (const [table, column] of [
      ['schedules', 'id'],
      ['schedule_sources', 'schedule_id'],
      ['schedule_runs', 'schedule_id'],
      ['jobs', 'schedule_id'],
    ])
      expect(db.query(`SELECT 1 FROM ${table} WHERE ${column} = ?`).all(id)).toEqual([])
  })
})
