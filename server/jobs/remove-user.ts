import type { Clock } from '../clock.ts'
import type { JobStore } from './job-store.ts'
import type { UserRemovalStore } from './user-removal-store.ts'

export interface UserRemovalOptions {
  readonly removal: UserRemovalStore
  readonly jobs: JobStore
  readonly clock: Clock
  /** Deletes whatever bytes a job has. */
  discardArchive(jobId: string): Promise<void>
}

/**
 * Removes a user with keys, jobs and archives, for good. Keys go first, so that nobody makes more of what is removed,
 * and the user last: a removal that was broken off is finished by the next. Rows go before bytes. Between the steps
 * whoever else writes has as long as a step took.
 */
export async function removeUser(userId: string, options: UserRemovalOptions): Promise<void> {
  const { removal, jobs, clock } = options
  await untilDone(() => removal.dropSomeKeys(userId))
  for (const jobId of removal.unfinished(userId)) jobs.cancel(userId, jobId, clock())
  await untilDone(async () => {
    const dropped = removal.dropSomeJobs(userId)
    for (const jobId of dropped ?? []) await options.discardArchive(jobId)
    return dropped !== null
  })
  await untilDone(() => removal.dropSomeStays(userId))
  removal.dropUser(userId)
}

/** @param step does a little; false when nothing is left to do */
async function untilDone(step: () => boolean | Promise<boolean>): Promise<void> {
  for (;;) {
    const startedMs = performance.now()
    if (!(await step())) return
    await Bun.sleep(performance.now() - startedMs)
  }
}
