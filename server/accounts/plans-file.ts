import { z } from 'zod'
import { describeIssue } from '../text/issue-messages.ts'
import { DEFAULT_PLANS, MAX_RETENTION_SECONDS, MAX_URLS, type Plan, type Plans } from './plan.ts'

/**
 * Parses the JSON of `--plans`. It may override any limit of either plan; all others keep the specification's values.
 * Throws a zod error for anything else, including a misspelt limit.
 */
export function parsePlans(json: string): Plans {
  return plansFile().parse(JSON.parse(json), { error: describeIssue })
}

/** Made only for a service with such a file: making it would cost every other start a millisecond. */
export function plansFile() {
  const overrides = planOverrides()
  return z.pipe(
    z.strictObject({ free: z.optional(overrides), pro: z.optional(overrides) }),
    z.transform(({ free, pro }, context): Plans => {
      const plans = { free: overridden(DEFAULT_PLANS.free, free), pro: overridden(DEFAULT_PLANS.pro, pro) }
      for (const { name, minRetentionSeconds, maxRetentionSeconds } of Object.values(plans)) {
        if (minRetentionSeconds <= maxRetentionSeconds) continue
        const message = `must be at most max_retention_seconds, ${maxRetentionSeconds}`
        const path = [name, 'min_retention_seconds']
        context.issues.push({ code: 'custom', path, message, input: { free, pro } })
      }
      return plans
    }),
  )
}

/** A month. More would leave no interval. */
const MAX_SCHEDULE_SECONDS = 28 * 86_400

function planOverrides() {
  const retentionSeconds = wholeNumber(MAX_RETENTION_SECONDS)
  return z.strictObject({
    max_urls: z.optional(wholeNumber(MAX_URLS)),
    max_zip_bytes: z.optional(z.int().check(z.gte(1))),
    max_retention_seconds: z.optional(retentionSeconds),
    min_retention_seconds: z.optional(retentionSeconds),
    min_schedule_seconds: z.optional(wholeNumber(MAX_SCHEDULE_SECONDS)),
    quota_gb_days: z.optional(z.nullable(z.number().check(z.gte(0)))),
    max_database_bytes: z.optional(z.int().check(z.gte(1))),
  })
}

/** From 1 on. The limits are checked first, as in requests. */
function wholeNumber(max: number) {
  return z.number().min(1, { abort: true }).max(max, { abort: true }).int()
}

function overridden(plan: Plan, overrides: z.infer<ReturnType<typeof planOverrides>> = {}): Plan {
  return {
    name: plan.name,
    maxUrls: overrides.max_urls ?? plan.maxUrls,
    maxZipBytes: overrides.max_zip_bytes ?? plan.maxZipBytes,
    maxRetentionSeconds: overrides.max_retention_seconds ?? plan.maxRetentionSeconds,
    minRetentionSeconds: overrides.min_retention_seconds ?? plan.minRetentionSeconds,
    minScheduleSeconds: overrides.min_schedule_seconds ?? plan.minScheduleSeconds,
    quotaGbDays: overrides.quota_gb_days === undefined ? plan.quotaGbDays : overrides.quota_gb_days,
    maxDatabaseBytes: overrides.max_database_bytes ?? plan.maxDatabaseBytes,
  }
}
