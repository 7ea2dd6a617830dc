import { Elysia } from 'elysia'
import type { Plans } from '../../accounts/plan.ts'
import type { UsageMeter } from '../../accounts/usage.ts'
import { isOwner } from '../../accounts/user.ts'
import type { Authentication } from '../authenticate.ts'
import { operation, successBody } from '../operation.ts'
import { limitsToJson } from './json.ts'
import { type MeJson, me } from './schemas.ts'

/** `GET /me`: the user, the limits of the plan, and this month's usage. */
export function meRoutes(authentication: Authentication, plans: Plans, meter: UsageMeter) {
  return new Elysia().use(authentication).get(
    '/me',
    ({ caller }): MeJson & { success: true } => {
      const plan = plans[caller.user.plan]
      const usage = meter.usageOf(caller.user)
      return {
        success: true,
        user: { ...caller.user, is_owner: isOwner(caller.user) },
        limits: limitsToJson(plan),
        usage: { month: usage.month, gb_days: usage.gbDays, quota_gb_days: usage.quotaGbDays },
      }
    },
    {
      detail: operation({
        tag: 'Account',
        id: 'getMe',
        summary: 'Get user, limits and usage',
        description:
          'Usage adds up size x days stored, for archives and for checkpoints of failed jobs, in this month (UTC) up to ' +
          'now. A GB is 10^9 bytes.',
        success: { 200: { description: 'The user.', json: successBody(me.shape) } },
      }),
    },
  )
}
