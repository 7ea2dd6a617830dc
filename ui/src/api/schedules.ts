import type { NewSchedule, ScheduleChanges } from '../../../server/client/types.ts'
import { type Loaded, loadPages } from './load-pages.ts'
import { request } from './request.ts'
import type { ListedSchedule, PageMeta, Schedule, ScheduleRun } from './types.ts'

export type { NewSchedule }

/** Returns the user's schedules, newest first. */
export async function listSchedules(signal: AbortSignal): Promise<ListedSchedule[]> {
  const { schedules } = await request<{ schedules: ListedSchedule[] }>('GET', '/schedules', { signal })
  return schedules
}

export async function getSchedule(id: string, signal?: AbortSignal): Promise<Schedule> {
  const options = signal === undefined ? {} : { signal }
  const { schedule } = await request<{ schedule: Schedule }>('GET', schedulePath(id), options)
  return schedule
}

export async function createSchedule(body: NewSchedule): Promise<Schedule> {
  const { schedule } = await request<{ schedule: Schedule }>('POST', '/schedules', { body })
  return schedule
}

export async function changeSchedule(id: string, body: ScheduleChanges): Promise<Schedule> {
  const { schedule } = await request<{ schedule: Schedule }>('PATCH', schedulePath(id), { body })
  return schedule
}

export async function deleteSchedule(id: string): Promise<void> {
  await request('DELETE', schedulePath(id))
}

/** Begins a run now. Returns the id of its job. */
export async function runSchedule(id: string): Promise<string> {
  const { job_id } = await request<{ job_id: string }>('POST', `${schedulePath(id)}/run`)
  return job_id
}

/** Returns the newest `count` runs, newest first. */
export function listRuns(id: string, count: number, signal: AbortSignal): Promise<Loaded<ScheduleRun>> {
  return loadPages(
    {
      path: `${schedulePath(id)}/runs`,
      itemsOf: (page: { runs: ScheduleRun[]; meta: PageMeta }) => page.runs,
      count,
    },
    signal,
  )
}

function schedulePath(id: string): string {
  return `/schedules/${encodeURIComponent(id)}`
}
