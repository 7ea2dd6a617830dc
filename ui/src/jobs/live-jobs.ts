import { type Accessor, createEffect, on } from 'solid-js'
import { getJob, type JobList, listJobs } from '../api/jobs.ts'
import { createPolled, type Polled } from '../api/polled.ts'
import type { Job } from '../api/types.ts'
import { isActive } from './archive-state.ts'

const ACTIVE_PAUSE_MS = 1_000
const QUIET_PAUSE_MS = 5_000

/** The newest jobs, at least `wanted` of them, as they change. */
export function createLiveJobs(wanted: Accessor<number>): Polled<JobList> {
  const polled = createPolled(
    (signal) => listJobs(wanted(), signal),
    (list) => pauseMs(list.jobs.some(isActive)),
  )
  createEffect(on(wanted, polled.refresh, { defer: true }))
  return polled
}

/** One job as it changes. */
export function createLiveJob(id: string): Polled<Job> {
  return createPolled(
    (signal) => getJob(id, signal),
    (job) => pauseMs(isActive(job)),
  )
}

function pauseMs(active: boolean): number {
  return active ? ACTIVE_PAUSE_MS : QUIET_PAUSE_MS
}
