import type { Plan } from '../../accounts/plan.ts'
import type { UserSummary } from '../../admin/users.ts'
import { statsToJson } from '../jobs/json.ts'
import { iso } from '../json.ts'
import type { LimitsJson, UserJson } from './schemas.ts'

export function userToJson({ id, name, plan, isOwner, createdAt, gbDays, jobCounts }: UserSummary): UserJson {
  return {
    id,
    name,
    plan,
    is_owner: isOwner,
    created_at: iso(createdAt),
    usage: { gb_days: gbDays },
    job_counts: statsToJson(jobCounts),
  }
}

export function limitsToJson(plan: Plan): LimitsJson {
  return {
    max_urls: plan.maxUrls,
    max_zip_bytes: plan.maxZipBytes,
    max_retention_seconds: plan.maxRetentionSeconds,
    min_retention_seconds: plan.minRetentionSeconds,
    min_schedule_seconds: plan.minScheduleSeconds,
  }
}
