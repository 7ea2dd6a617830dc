import type { ReplyBody, TestService } from './service.ts'

/** Creates a schedule; daily at 06:00 in Berlin if the test says nothing else. */
export async function createSchedule(
  service: TestService,
  body: object,
  key = service.key,
): Promise<ReplyBody> {
  const defaults = { name: 'Prices', every: { cron: '0 6 * * *' }, time_zone: 'Europe/Berlin' }
  const reply = await service.request('POST', '/schedules', { body: { ...defaults, ...body }, key })
  if (reply.status !== 201) throw new Error(`the schedule was refused: ${JSON.stringify(reply.body)}`)
  return reply.body.schedule
}

/** Runs a schedule now. @returns its job, which has ended */
export async function runNow(
  service: TestService,
  scheduleId: string,
  key = service.key,
): Promise<ReplyBody> {
  const { body } = await service.request('POST', `/schedules/${scheduleId}/run`, { key })
  if (!body.success) throw new Error(`the run was refused: ${JSON.stringify(body)}`)
  return await service.jobIn(body.job_id, ['completed', 'failed'], key)
}

export async function scheduleOf(service: TestService, id: string, key = service.key): Promise<ReplyBody> {
  return (await service.request('GET', `/schedules/${id}`, { key })).body.schedule
}

export async function runsOf(service: TestService, id: string, key = service.key): Promise<ReplyBody[]> {
  return (await service.request('GET', `/schedules/${id}/runs?limit=100`, { key })).body.runs
}
