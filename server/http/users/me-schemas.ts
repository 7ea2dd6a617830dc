import { z } from 'zod'
import { PLAN_NAMES } from '../../vocabulary.ts'

export const limits = z.object({
  max_urls: z.int(),
  max_zip_bytes: z.int(),
  max_retention_seconds: z.int(),
  min_retention_seconds: z.int(),
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
