import type { Plan } from '../accounts/plan.ts'
import { ServiceError } from '../errors.ts'
import { KEPT_FREE_BYTES } from '../files/free-space.ts'

/** Throws `INVALID_REQUEST` when a new job expires too soon, and `PLAN_LIMIT_EXCEEDED` when it exceeds the plan. */
export function assertWithinPlan(plan: Plan, urlCount: number, expiresInSeconds: number): void {
  assertNotTooShort(plan, expiresInSeconds)
  assertUrlCount(plan, urlCount)
  assertNotTooLong(plan, expiresInSeconds)
}

/** Throws `PLAN_LIMIT_EXCEEDED` for a list of more URLs than a job of the plan may have. */
export function assertUrlCount(plan: Plan, urlCount: number): void {
  if (urlCount <= plan.maxUrls) return
  throw new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `The ${plan.name} plan allows ${plan.maxUrls} URLs per job, and this job has ${urlCount}.`,
  )
}

/** The same for the retention of a job that exists. */
export function assertRetentionWithinPlan(plan: Plan, expiresInSeconds: number): void {
  assertNotTooShort(plan, expiresInSeconds)
  assertNotTooLong(plan, expiresInSeconds)
}

function assertNotTooShort(plan: Plan, expiresInSeconds: number): void {
  if (expiresInSeconds >= plan.minRetentionSeconds) return
  const message = `must be at least ${plan.minRetentionSeconds}`
  throw new ServiceError('INVALID_REQUEST', `expires_in ${message}, not ${expiresInSeconds}.`, [
    { path: 'expires_in', message },
  ])
}

function assertNotTooLong(plan: Plan, expiresInSeconds: number): void {
  if (expiresInSeconds <= plan.maxRetentionSeconds) return
  throw new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `The ${plan.name} plan keeps archives for ${plan.maxRetentionSeconds} seconds at most, and expires_in asks for ${expiresInSeconds}.`,
  )
}

/** Enough for weeks of work. */
const MAX_UNFINISHED_JOBS = 1_000

/** Throws `PLAN_LIMIT_EXCEEDED` when a user has too many pending and processing jobs, the one that has become pending included. */
export function assertUnfinishedWithinLimit(total: number): void {
  if (total <= MAX_UNFINISHED_JOBS) return
  throw new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `On every plan, a user may have ${MAX_UNFINISHED_JOBS} jobs that wait or run, and you have that many. ` +
      'Wait until some have ended, or cancel some.',
  )
}

/**
 * Refuses a new job when a disk has no room for it.
 * @throws ServiceError `UNAVAILABLE`
 */
export function assertRoom(
  dir: { readonly archives: string; readonly root: string },
  freeBytes: (directory: string) => number,
): void {
  if (roomOf(dir.archives, freeBytes) < KEPT_FREE_BYTES.acceptingJobs) {
    throw new ServiceError(
      'UNAVAILABLE',
      'The disk of the service is nearly full. Delete jobs that you no longer need, or try again later.',
    )
  }
  if (roomOf(dir.root, freeBytes) < KEPT_FREE_BYTES.database) {
    throw new ServiceError(
      'UNAVAILABLE',
      'The disk of the database is nearly full. Free some space on it, then try again.',
    )
  }
}

/** A missing directory is reported like a full disk, since the request is not at fault. */
function roomOf(directory: string, freeBytes: (directory: string) => number): number {
  try {
    return freeBytes(directory)
  } catch (error) {
    const message =
      'A directory of the service is missing, or its disk does not respond. Restore it, or restart the service.'
    throw new ServiceError('UNAVAILABLE', message, [], { cause: error })
  }
}
