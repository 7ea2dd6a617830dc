import { z } from 'zod'
import { isUserName } from '../../accounts/user.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { PLAN_NAMES } from '../../vocabulary.ts'
import { jobStats } from '../jobs/schemas.ts'
import { dateTime } from '../schemas.ts'

const userName = z
  .string()
  .refine(
    isUserName,
    `must have 1 to ${REQUEST_LIMITS.userNameCharacters} printable characters, without white space at its ends`,
  )
  .meta({ minLength: 1, maxLength: REQUEST_LIMITS.userNameCharacters })
const plan = z.enum(PLAN_NAMES)

export const createUserBody = z.object({
  name: userName.describe('Unique.'),
  plan: plan.nullish().describe('Default: pro.'),
})
export type CreateUserBody = z.infer<typeof createUserBody>

export const changeUserBody = z
  .object({ name: userName.nullish().describe('Not for the owner.'), plan: plan.nullish() })
  .refine((body) => body.name != null || body.plan != null, {
    path: ['name'],
    message: 'must be given, or plan',
  })
  .meta({ minProperties: 1 })

export const user = z.object({
  id: z.uuid(),
  name: z.string(),
  plan: plan,
  is_owner: z.boolean(),
  created_at: dateTime,
  usage: z.object({ gb_days: z.number().describe('In this month (UTC), up to now.') }),
  job_counts: jobStats,
})
export type UserJson = z.infer<typeof user>

export const signInLink = z.object({
  url: z.url().describe('Signs the user in once. Keep it secret.'),
  expires_at: dateTime,
})
export type SignInLinkJson = z.infer<typeof signInLink>

export const limits = z.object({
  max_urls: z.int(),
  max_zip_bytes: z.int(),
  max_retention_seconds: z.int(),
  min_retention_seconds: z.int(),
  min_schedule_seconds: z.int().describe('The shortest interval of a schedule.'),
})
export type LimitsJson = z.infer<typeof limits>

export const me = z.object({
  user: z.object({
    id: z.uuid(),
    name: z.string(),
    plan: z.enum(PLAN_NAMES),
    is_owner: z.boolean().describe('Whether the user may manage users and see the state of the service.'),
  }),
  limits: limits,
  usage: z.object({ month: z.string(), gb_days: z.number(), quota_gb_days: z.number().nullable() }),
})
export type MeJson = z.infer<typeof me>
