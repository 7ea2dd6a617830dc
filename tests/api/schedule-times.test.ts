// test group: long
import { describe, expect, test } from 'bun:test'
import { startChangingSite } from '../support/changing-site.ts'
import { forFile } from '../support/for-file.ts'
import { startGatedSource } from '../support/gated-source.ts'
import { startReceiver, verified } from '../support/receiver.ts'
import { createSchedule, runNow, runsOf, scheduleOf } from '../support/schedules.ts'
import { type ReplyBody, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { createWebhook } from '../support/webhooks.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const site = forFile(startChangingSite())
site.set('/a', 'the file')
const urls = [site.url('/a')]

/** Begins what is due, and waits until no run is under way. */
async function runDue(service: TestService, id: string, key = service.key): Promise<ReplyBody[]> {
  await service.app.scheduleTimer.runDue()
  return await until('no run is under way', async () => {
    const runs = await runsOf(service, id, key)
    return runs.every(({ status }) => status !== 'running') && runs
  })
}

/** Sets the clock to a time after that of a schedule. */
async function advanceTo(service: TestService, isoTime: string, afterMs = 0): Promise<void> {
  const { body } = await service.request('POST', '/api-keys', { body: {} })
  service.advance(Date.parse(isoTime) + afterMs - Date.parse(body.api_key.created_at))
}

const inMs = (schedule: ReplyBody, from: ReplyBody) =>
  Date.parse(schedule.next_run_at) - Date.parse(from.next_run_at)

describe('A run that is due', () => {
  test('begins at its time, once, and the next one is due a day later', async () => {
    await using service = await startService()
    const created = await createSchedule(service, { urls, time_zone: 'UTC' })
    await advanceTo(service, created.next_run_at, -60_000)
    expect(await runDue(service, created.id)).toEqual([])
    await advanceTo(service, created.next_run_at, 1_000)
    expect(await runDue(service, created.id)).toMatchObject([{ status: 'completed', changes: { added: 1 } }])
    expect(await runDue(service, created.id)).toHaveLength(1)
    expect(inMs(await scheduleOf(service, created.id), created)).toBe(DAY_MS)
  })

  test('and was missed for three days, because the computer slept, happens once', async () => {
    await using service = await startService()
    const created = await createSchedule(service, { urls, time_zone: 'UTC' })
    await advanceTo(service, created.next_run_at, 3 * DAY_MS + 60_000)
    expect(await runDue(service, created.id)).toHaveLength(1)
    expect(await runDue(service, created.id)).toHaveLength(1)
    expect(inMs(await scheduleOf(service, created.id), created)).toBe(4 * DAY_MS)
  })

  test('and was missed because the service did not run happens once, after its start', async () => {
    await using service = await startService()
    const created = await createSchedule(service, { urls, time_zone: 'UTC' })
    await service.whileStopped(async () => service.advance(5 * DAY_MS))
    expect(await runDue(service, created.id)).toHaveLength(1)
    const { next_run_at } = await scheduleOf(service, created.id)
    expect(Date.parse(next_run_at)).toBeGreaterThan(Date.now() + 4 * DAY_MS)
  })

  test('waits for the run before, and then happens once', async () => {
    await using service = await startService()
    await using slow = startGatedSource()
    const { id, ...created } = await createSchedule(service, {
      urls: [slow.url('a', 100)],
      time_zone: 'UTC',
    })
    const { body } = await service.request('POST', `/schedules/${id}/run`)
    await advanceTo(service, created.next_run_at, 2 * DAY_MS)
    await service.app.scheduleTimer.runDue()
    expect(await runsOf(service, id)).toHaveLength(1)
    slow.release('a')
    await service.jobIn(body.job_id, ['completed'])
    expect(await runDue(service, id)).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
    expect(await runDue(service, id)).toHaveLength(2)
  })

  test('does not begin while the schedule is paused', async () => {
    await using service = await startService()
    const { id, next_run_at } = await createSchedule(service, { urls, time_zone: 'UTC' })
    await service.request('PATCH', `/schedules/${id}`, { body: { status: 'paused' } })
    await advanceTo(service, next_run_at, DAY_MS)
    expect(await runDue(service, id)).toEqual([])
    expect(await runNow(service, id)).toMatchObject({ status: 'completed' })
    expect(await scheduleOf(service, id)).toMatchObject({ status: 'paused', next_run_at: null })
  })
})

describe('When the clock is set', () => {
  test('back by an hour after a run, that run does not happen again', async () => {
    await using service = await startService()
    const created = await createSchedule(service, { urls, time_zone: 'UTC' })
    await advanceTo(service, created.next_run_at, 60_000)
    await runDue(service, created.id)
    const { next_run_at } = await scheduleOf(service, created.id)
    service.setClockAhead(-HOUR_MS)
    expect(await runDue(service, created.id)).toHaveLength(1)
    service.advance(HOUR_MS)
    expect(await runDue(service, created.id)).toHaveLength(1)
    expect((await scheduleOf(service, created.id)).next_run_at).toBe(next_run_at)
  })

  test('ahead by three days and back again, no more than one run is early, and the next ones have their times', async () => {
    await using service = await startService()
    const created = await createSchedule(service, { urls, time_zone: 'UTC' })
    service.setClockAhead(3 * DAY_MS)
    expect(await runDue(service, created.id)).toHaveLength(1)
    expect(inMs(await scheduleOf(service, created.id), created)).toBe(3 * DAY_MS)
    service.setClockAhead(-3 * DAY_MS)
    expect(await runDue(service, created.id)).toHaveLength(1)
    expect(inMs(await scheduleOf(service, created.id), created)).toBe(DAY_MS)
  })

  test('back while the service is stopped, the same holds', async () => {
    await using service = await startService()
    const created = await createSchedule(service, { urls, time_zone: 'UTC' })
    service.setClockAhead(3 * DAY_MS)
    await runDue(service, created.id)
    await service.whileStopped(async () => service.setClockAhead(-3 * DAY_MS))
    expect(await runDue(service, created.id)).toHaveLength(1)
    expect(inMs(await scheduleOf(service, created.id), created)).toBe(DAY_MS)
  })
})

describe('After five failed runs in a row', () => {
  test('a schedule is paused with a reason in words, and webhooks are told', async () => {
    await using service = await startService()
    await using receiver = startReceiver()
    const { secret } = await createWebhook(service, receiver.url('/hook'), service.key)
    site.set('/fails', 404)
    const { id } = await createSchedule(service, {
      name: 'Prices',
      urls: [site.url('/fails')],
      time_zone: 'UTC',
    })
    for (let day = 1; day <= 5; day++) {
      expect((await scheduleOf(service, id)).status).toBe('active')
      await advanceTo(service, (await scheduleOf(service, id)).next_run_at, 1_000)
      await runDue(service, id)
    }
    const reason = 'Five runs in a row have failed. The last one: 1 of 1 URL could not be fetched.'
    expect(await scheduleOf(service, id)).toMatchObject({
      status: 'paused',
      paused_reason: reason,
      next_run_at: null,
      failed_runs: 5,
    })
    const messages = (await receiver.untilReceived(6)).map((message) => verified(message, secret))
    const told = messages.filter(({ type }) => type === 'schedule.paused')
    expect(told.map(({ data }) => data)).toEqual([
      { schedule_id: id, name: 'Prices', status: 'paused', reason, failed_runs: 5 },
    ])
    const ended = messages.filter(({ type }) => type === 'job.failed')
    expect(ended.map(({ data }) => data.schedule_id)).toEqual(Array(5).fill(id))

    site.set('/fails', 'works again')
    await service.request('PATCH', `/schedules/${id}`, { body: { status: 'active' } })
    expect(await scheduleOf(service, id)).toMatchObject({
      status: 'active',
      paused_reason: null,
      failed_runs: 0,
    })
    await advanceTo(service, (await scheduleOf(service, id)).next_run_at, 1_000)
    expect((await runDue(service, id))[0]).toMatchObject({ status: 'completed' })
  })

  test('counts those that a limit has refused, each with its reason', async () => {
    await using service = await startService()
    const key = await service.addUser('mia')
    const { id } = await createSchedule(
      service,
      { urls, time_zone: 'UTC', every: { cron: '0 * * * *' } },
      key,
    )
    const { body } = await service.request('GET', '/users')
    const mia = body.users.find(({ name }: ReplyBody) => name === 'mia')
    await service.request('PATCH', `/users/${mia.id}`, { body: { plan: 'free' } })
    for (let hour = 1; hour <= 5; hour++) {
      service.advance(HOUR_MS)
      await runDue(service, id, key)
    }
    const message = 'The free plan runs a schedule every day at most, and this one asks for every hour.'
    expect(await scheduleOf(service, id, key)).toMatchObject({
      status: 'paused',
      paused_reason: `Five runs in a row have failed. The last one: ${message}`,
      last_run: {
        job_id: null,
        status: 'failed',
        failure: { code: 'PLAN_LIMIT_EXCEEDED', message },
        changes: null,
      },
    })
    expect(await runsOf(service, id, key)).toHaveLength(5)
  })

  test('does not count a run that its owner has cancelled, and forgets failures after a good run', async () => {
    await using service = await startService()
    const { id } = await createSchedule(service, { urls: [site.url('/sometimes')], time_zone: 'UTC' })
    site.set('/sometimes', 404)
    for (let run = 0; run < 4; run++) await runNow(service, id)
    expect(await scheduleOf(service, id)).toMatchObject({ status: 'active', failed_runs: 4 })
    site.set('/sometimes', 'here')
    await runNow(service, id)
    expect(await scheduleOf(service, id)).toMatchObject({ status: 'active', failed_runs: 0 })
    using slow = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) })
    await service.request('PATCH', `/schedules/${id}`, { body: { urls: [`http://127.0.0.1:${slow.port}/`] } })
    const { body } = await service.request('POST', `/schedules/${id}/run`)
    await service.request('POST', `/jobs/${body.job_id}/cancel`)
    expect(await scheduleOf(service, id)).toMatchObject({
      failed_runs: 0,
      last_run: { status: 'failed', failure: { code: 'CANCELLED' } },
    })
  })
})

describe('Schedules that are due at the same time', () => {
  test('of one user begin a few at a time', async () => {
    await using service = await startService()
    await using slow = startGatedSource()
    const ids: string[] = []
    for (let count = 0; count < 7; count++) {
      ids.push((await createSchedule(service, { urls: [slow.url(`${count}`, 100)], time_zone: 'UTC' })).id)
    }
    await service.whileStopped(async () => service.advance(2 * DAY_MS))
    await service.app.scheduleTimer.runDue()
    const begun = async () => (await Promise.all(ids.map((id) => runsOf(service, id)))).flat()
    expect(await begun()).toHaveLength(4)
    slow.release(...ids.keys().map(String))
    for (const id of ids) await runDue(service, id)
    expect((await begun()).map(({ status }) => status)).toEqual(Array(7).fill('completed'))
  })

  test('of a page that is gone have failed, with the reason', async () => {
    await using service = await startService()
    const page = { url: site.url('/no-page') }
    const { id } = await createSchedule(service, { page, time_zone: 'UTC' })
    service.advance(DAY_MS)
    expect(await runDue(service, id)).toMatchObject([
      { job_id: null, status: 'failed', failure: { code: 'PAGE_NOT_FETCHED' } },
    ])
  })
})
