import { ServiceError } from '../errors.ts'
import type { Clock } from '../time/clock.ts'
import { type Plan, type Plans, toMegabytes } from './plan.ts'
import { monthOf, toGbDays } from './quota.ts'
import type { UsageStore } from './usage-store.ts'
import type { User } from './user.ts'

/** How much storage a user has used in this calendar month (UTC), up to now. */
export interface Usage {
  /** As in `2026-07`. */
  readonly month: string
  readonly gbDays: number
  readonly quotaGbDays: number | null
}

export type UsageMeter = ReturnType<typeof openUsageMeter>

export function openUsageMeter(store: UsageStore, plans: Plans, clock: Clock) {
  function usageOf(user: User): Usage {
    const now = clock()
    const month = monthOf(now)
    const gbDays = toGbDays(store.storedByteMs(user.id, month.from, now))
    return { month: month.name, gbDays, quotaGbDays: plans[user.plan].quotaGbDays }
  }

  return {
    usageOf,
    /** Throws `PLAN_LIMIT_EXCEEDED` when the user's rows take as much as the plan allows, or more. */
    assertRowsWithinLimit(user: User): void {
      const plan = plans[user.plan]
      const bytes = store.databaseBytes(user.id)
      if (bytes < plan.maxDatabaseBytes) return
      throw new ServiceError(
        'PLAN_LIMIT_EXCEEDED',
        `On the ${plan.name} plan, the URLs and results of your jobs and your webhook deliveries may take ` +
          `${toMegabytes(plan.maxDatabaseBytes)} MB, and they take ${toMegabytes(bytes)} MB. Delete jobs that you no longer need.`,
      )
    },
    /** Throws `QUOTA_EXCEEDED` at or above the plan's quota. */
    assertWithinQuota(user: User, plan: Plan): void {
      if (plan.quotaGbDays === null) return
      const { month, gbDays } = usageOf(user)
      if (gbDays < plan.quotaGbDays) return
      const used = Math.round(gbDays * 100) / 100
      throw new ServiceError(
        'QUOTA_EXCEEDED',
        `The ${plan.name} plan allows ${plan.quotaGbDays} GB-days of storage per month, and ${month} has used ${used}. ` +
          'Delete archives that you no longer need, so that they add no more, and wait for the next month.',
      )
    },
  }
}
