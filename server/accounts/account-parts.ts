import type { Database } from '../db/open.ts'
import type { Clock } from '../time/clock.ts'
import { openAccountStore } from './account-store.ts'
import type { Plans } from './plan.ts'
import { openSignIn } from './sign-in.ts'
import { openUsageMeter } from './usage.ts'
import { openUsageStore } from './usage-store.ts'

/** What a service needs of users, plans and usage. Creates the owner if there is none. */
export function openAccountParts(db: Database, plans: Plans, clock: Clock) {
  const accounts = openAccountStore(db)
  const usageStore = openUsageStore(db)
  return {
    accounts,
    owner: accounts.owner(clock()),
    signIn: openSignIn(accounts, clock),
    usageStore,
    usage: openUsageMeter(usageStore, plans, clock),
  }
}
