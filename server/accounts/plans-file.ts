import { z } from 'zod'
import { DEFAULT_PLANS, MAX_RETENTION_SECONDS, MAX_URLS, type Plan, type Plans } from './plan.ts'

/**
 * Parses the JSON of `--plans`. It may override any limit of either plan; all others keep the specification's values.
 * Throws a zod error for anything else, including a misspelt limit.
 */
export function parsePlans(json: string): Plans {
  return plansFile.parse(JSON.parse(json))
}

const retentionSeconds = z.int().min(1).max(MAX_RETENTION_SECONDS)

const planOverrides = z.strictObject({
  max_urls: z.int().min(1).max(MAX_URLS).optional(),
  max_zip_bytes: z.int().min(1).optional(),
  max_retention_seconds: retentionSeconds.optional(),
  min_retention_seconds: retentionSeconds.optional(),
  quota_gb_days: z.number().min(0).nullable().optional(),
})

const plansFile = z
  .strictObject({ free: planOverrides.optional(), pro: planOverrides.optional() })
  .transform((overrides, context): Plans => {
    const free = overridden(DEFAULT_PLANS.free, overrides.free)
    const pro = overridden(DEFAULT_PLANS.pro, overrides.pro)
    for (const { name, minRetentionSeconds, maxRetentionSeconds } of [free, pro]) {
      if (minRetentionSeconds <= maxRetentionSeconds) continue
      const message = `must be at most max_retention_seconds, ${maxRetentionSeconds}`
      context.addIssue({ code: 'custom', path: [name, 'min_retention_seconds'], message })
    }
    return { free, pro }
  })

function overridden(plan: Plan, overrides: z.infer<typeof planOverrides> = {}): Plan {
  return {
    name: plan.name,
    maxUrls: overrides.max_urls ?? plan.maxUrls,
    maxZipBytes: overrides.max_zip_bytes ?? plan.maxZipBytes,
    maxRetentionSeconds: overrides.max_retention_seconds ?? plan.maxRetentionSeconds,
    minRetentionSeconds: overrides.min_retention_seconds ?? plan.minRetentionSeconds,
    quotaGbDays: overrides.quota_gb_days === undefined ? plan.quotaGbDays : overrides.quota_gb_days,
  }
}
