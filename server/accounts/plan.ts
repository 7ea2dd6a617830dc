import type { PlanName } from '../vocabulary.ts'

export interface Plan {
  readonly name: PlanName
  readonly maxUrls: number
  readonly maxZipBytes: number
  readonly maxRetentionSeconds: number
  readonly minRetentionSeconds: number
  /** The shortest interval of a schedule. */
  readonly minScheduleSeconds: number
  /** Storage per calendar month, in GB-days; null for no quota. */
  readonly quotaGbDays: number | null
  /** What the jobs and webhook deliveries of a user may take in the database. */
  readonly maxDatabaseBytes: number
}

export type Plans = Readonly<Record<PlanName, Plan>>

/** Specification, section 8. A gigabyte is 10^9 bytes. */
export const GIGABYTE = 1e9
const DAY_SECONDS = 86_400

/** The limits of requests (section 4.4), which no plan exceeds. */
export const MAX_URLS = 5_000
export const MAX_RETENTION_SECONDS = 60 * DAY_SECONDS
const DEFAULT_RETENTION_SECONDS = DAY_SECONDS

export const DEFAULT_PLANS: Plans = {
  free: {
    name: 'free',
    maxUrls: 100,
    maxZipBytes: 2 * GIGABYTE,
    maxRetentionSeconds: DAY_SECONDS,
    minRetentionSeconds: 300,
    minScheduleSeconds: DAY_SECONDS,
    quotaGbDays: 60,
    maxDatabaseBytes: GIGABYTE / 10,
  },
  pro: {
    name: 'pro',
    maxUrls: MAX_URLS,
    maxZipBytes: 50 * GIGABYTE,
    maxRetentionSeconds: MAX_RETENTION_SECONDS,
    minRetentionSeconds: 300,
    minScheduleSeconds: 3600,
    quotaGbDays: null,
    maxDatabaseBytes: GIGABYTE,
  },
}

export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10
}

/** Plans whose limits may change: each use reads those of its time. */
export function changingPlans(current: () => Plans): Plans {
  return {
    get free() {
      return current().free
    },
    get pro() {
      return current().pro
    },
  }
}

/** The retention of a job that does not set one: the default, within the limits of the plan. */
export function defaultRetentionSeconds(plan: Plan): number {
  return Math.max(plan.minRetentionSeconds, Math.min(DEFAULT_RETENTION_SECONDS, plan.maxRetentionSeconds))
}
