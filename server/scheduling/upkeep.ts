import type { AccountStore } from '../accounts/account-store.ts'
import type { UsageStore } from '../accounts/usage-store.ts'
import type { User } from '../accounts/user.ts'
import { inSteps } from '../db/in-steps.ts'
import type { Database } from '../db/open.ts'
import type { DetailsStore } from '../jobs/details-store.ts'
import type { JobOwned, LiveProgress } from '../jobs/progress.ts'
import type { TransitionStore } from '../jobs/transition-store.ts'
import type { ApiKeyStore } from '../keys/api-key-store.ts'

export interface UpkeepOptions {
  readonly db: Database
  readonly details: DetailsStore
  readonly transitions: TransitionStore
  readonly accounts: AccountStore
  readonly usage: UsageStore
  readonly apiKeys: ApiKeyStore
  readonly live: Pick<LiveProgress, 'changed'>
  readonly owner: User
  /** How long an ended job's sources and entries stay after its expiry. */
  readonly keepDetailsDays: number
}

/** Deletes the rows that nobody needs any more, as at `now`, in small steps between which others have their turn. */
export type Upkeep = (now: number, stop: AbortSignal) => Promise<void>

const DAY_MS = 86_400_000
/** A job leaves the list this long after its expiry. */
const KEEP_JOBS_MS = 365 * DAY_MS
/** Usage is asked for since the beginning of the month; the rest is for a clock that was set back. */
const KEEP_USAGE_MS = 62 * DAY_MS
const KEEP_REVOKED_KEYS_MS = 30 * DAY_MS
/** How often usage and keys are looked through: nobody waits for their rows to go. */
const SELDOM_MS = 60 * 60_000

export function openUpkeep(options: UpkeepOptions): Upkeep {
  const { db, details, transitions, accounts, usage, apiKeys, live, owner } = options
  const keepDetailsMs = options.keepDetailsDays * DAY_MS
  let lookedThroughAt = Number.NEGATIVE_INFINITY

  return async (now, stop) => {
    accounts.dropExpiredSignInLinks(now)
    await inSteps(() => told(details.beginToForget(now - keepDetailsMs)), stop)
    await inSteps(details.forgetSome, stop)
    await inSteps(() => told(transitions.deleteWithoutDetails(now - KEEP_JOBS_MS)), stop)
    if (Math.abs(now - lookedThroughAt) >= SELDOM_MS) await lookThrough(now, stop)
    await inSteps(db.giveBackSome, stop)
  }

  /** Whether there were any jobs to tell of. */
  function told(jobs: readonly JobOwned[]): boolean {
    for (const job of jobs) live.changed(job)
    return jobs.length > 0
  }

  async function lookThrough(now: number, stop: AbortSignal): Promise<void> {
    lookedThroughAt = now
    for (const user of accounts.listUsers()) {
      await inSteps(() => usage.deleteSome(user.id, now - KEEP_USAGE_MS), stop)
    }
    await inSteps(() => apiKeys.forgetSomeRevoked(now - KEEP_REVOKED_KEYS_MS, owner.id), stop)
  }
}
