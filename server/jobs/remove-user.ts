import { runInBatches } from '../db/run-in-batches.ts'
import type { Clock } from '../time/clock.ts'
import type { TransitionStore } from './transition-store.ts'
import type { UserRemovalStore } from './user-removal-store.ts'

export interface UserRemovalOptions {
  readonly removal: UserRemovalStore
  readonly transitions: TransitionStore
  readonly clock: Clock
  /** Deletes the files of a job. */
  deleteFiles(jobId: string): Promise<void>
}

/**
 * Removes a user with keys, jobs and archives, for good. Keys go first, so that nobody makes more of what is removed,
 * and the user last: a removal that was broken off is finished by the next. Rows go before bytes.
 */
export async function removeUser(userId: string, options: UserRemovalOptions): Promise<void> {
  const { removal, transitions, clock } = options
  await runInBatches(() => removal.dropSomeKeys(userId))
  for (const jobId of removal.unfinished(userId)) transitions.cancel(userId, jobId, clock())
  await runInBatches(async () => {
    const dropped = removal.dropSomeJobs(userId)
    for (const jobId of dropped ?? []) await options.deleteFiles(jobId)
    return dropped !== null
  })
  await runInBatches(() => removal.dropSomeRetentionPeriods(userId))
  removal.dropUser(userId)
}
