import type { Plan } from '../accounts/plan.ts'
import { ServiceError } from '../errors.ts'

/** Throws `INVALID_REQUEST` when a new job expires too soon, and `PLAN_LIMIT_EXCEEDED` when it exceeds the plan. */
export function assertWithinPlan(plan: Plan, urlCount: number, expiresInSeconds: number): void {
  assertNotTooShort(plan, expiresInSeconds)
  if (urlCount > plan.maxUrls) {
    throw new ServiceError(
      'PLAN_LIMIT_EXCEEDED',
      `The ${plan.name} plan allows ${plan.maxUrls} URLs per job, and this job has ${urlCount}.`,
    )
  }
  assertNotTooLong(plan, expiresInSeconds)
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
