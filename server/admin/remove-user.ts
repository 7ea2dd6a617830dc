import { runInBatches } from '../db/run-in-batches.ts'
import type { TransitionStore } from '../jobs/lifecycle/transition-store.ts'
import type { Clock } from '../time/clock.ts'
import type { UserRemovalStore } from './user-removal-store.ts'

export interface UserRemovalOptions {
  readonly removal: UserRemovalStore
  readonly transitions: TransitionStore
  readonly clock: Clock
  /** Stops the run of a job, if this process runs it, before the rows that it reads are deleted. */
  halt(jobId: string): Promise<void>
  /** Deletes the files of a job. */
  deleteFiles(jobId: string): Promise<void>
}

/**
 * Deletes a user with all keys, webhooks, jobs and archives: the keys and schedules first, so that nothing creates more jobs or webhooks,
 * and the user last, so that an interrupted removal can be repeated. Rows are deleted before files.
 */
export async function removeUser(userId: string, options: UserRemovalOptions): Promise<void> {
  const { removal, transitions, clock } = options
  await runInBatches(async () => removal.deleteSomeKeys(userId))
  await runInBatches(async () => removal.deleteSchedule(userId))
  await runInBatches(async () => removal.deleteSomeDeliveries(userId))
  for (const jobId of removal.unfinished(userId)) {
    transitions.cancel(userId, jobId, clock())
    await options.halt(jobId)
  }
  await runInBatches(async () => {
    const deleted = removal.deleteSomeJobs(userId)
    for (const jobId of deleted ?? []) await options.deleteFiles(jobId)
    return deleted !== null
  })
  await runInBatches(async () => removal.deleteSomeRetentionPeriods(userId))
  removal.deleteUser(userId)
}
