import { getJob } from '../api/jobs.ts'
import { createPolled, type Polled } from '../api/polled.ts'
import type { Job } from '../api/types.ts'
import { isActive } from './archive-state.ts'

const ACTIVE_PAUSE_MS = 1_000
const QUIET_PAUSE_MS = 5_000

/** One job as it changes. */
export function createLiveJob(id: string): Polled<Job> {
  return createPolled(
    (signal) => getJob(id, signal),
    (job) => (isActive(job) ? ACTIVE_PAUSE_MS : QUIET_PAUSE_MS),
  )
}
