import type { Plan } from './types.ts'

export const PLAN_LABELS: Readonly<Record<Plan, string>> = { free: 'Free', pro: 'Pro' }
