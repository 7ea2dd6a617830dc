// server/decisions/deletion.md says what is deleted when, and why.

import type { AccountStore } from '../accounts/account-store.ts'
import type { Plans } from '../accounts/plan.ts'
import type { UsageStore } from '../accounts/usage-store.ts'
import type { Database } from '../db/open.ts'
import { runInBatches } from '../db/run-in-batches.ts'
import type { ExpiredDetails } from '../jobs/deletion/deletion-store.ts'
import type { OwnedJob } from '../jobs/job.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { ApiKeyStore } from '../keys/api-key-store.ts'
import type { DeliveryStore } from '../notifiers/delivery-store.ts'
import { DAY_MS } from '../time/clock.ts'

export interface RowCleanupOptions {
  readonly db: Pick<Database, 'vacuumSome'>
  readonly accounts: AccountStore
  readonly usage: UsageStore
  readonly apiKeys: ApiKeyStore
  readonly details: ExpiredDetails
  readonly deliveries: Pick<DeliveryStore, 'deleteSomeEvents'>
  readonly live: Pick<LiveProgress, 'changed'>
  /** How long the sources and entries of a job are kept after its expiry. */
  readonly keepDetailsDays: number
  readonly plans: Plans
}

/** Deletes rows that are no longer needed at the time `now`, in small batches, so that other writers need not wait long. */
export type RowCleanup = (now: number, stop: AbortSignal) => Promise<void>

/** How long a job stays in the list after its expiry. */
const KEEP_JOBS_MS = 365 * DAY_MS
/** Usage is shown since the beginning of the month. The other 31 days allow for a clock that is set back. */
const KEEP_USAGE_MS = 62 * DAY_MS
const KEEP_REVOKED_KEYS_MS = 30 * DAY_MS
const KEEP_DELIVERIES_MS = 30 * DAY_MS
/** From this share of what the plan allows, the oldest expired jobs make room, so that history alone never blocks a user. */
const MAX_HISTORY_SHARE = 0.75
/** How often old usage and revoked keys are deleted. */
const USAGE_AND_KEYS_INTERVAL_MS = 60 * 60_000

export function openRowCleanup(options: RowCleanupOptions): RowCleanup {
  const { db, accounts, usage, apiKeys, details, deliveries, live, plans } = options
  const keepDetailsMs = options.keepDetailsDays * DAY_MS
  let usageAndKeysCleanedAt = Number.NEGATIVE_INFINITY

  return async (now, stop) => {
    accounts.deleteExpiredSignInLinks(now)
    await runInBatches(async () => reportChanged(details.markDetailsDeletable(now - keepDetailsMs)), stop)
    await runInBatches(async () => details.deleteSome(), stop)
    await runInBatches(async () => reportChanged(details.deleteWithoutDetails(now - KEEP_JOBS_MS)), stop)
    await runInBatches(async () => deliveries.deleteSomeEvents(now - KEEP_DELIVERIES_MS), stop)
    if (Math.abs(now - usageAndKeysCleanedAt) >= USAGE_AND_KEYS_INTERVAL_MS)
      await cleanUsageAndKeys(now, stop)
    await runInBatches(async () => db.vacuumSome(), stop)
  }

  /** @returns whether there are any */
  function reportChanged(jobs: readonly OwnedJob[]): boolean {
    for (const job of jobs) live.changed(job)
    return jobs.length > 0
  }

  /** @returns whether there was anything to delete */
  async function makeRoom(userId: string, stop: AbortSignal): Promise<boolean> {
    const changed = reportChanged(details.makeRoom(userId))
    await runInBatches(async () => details.deleteSome(), stop)
    return changed
  }

  async function cleanUsageAndKeys(now: number, stop: AbortSignal): Promise<void> {
    usageAndKeysCleanedAt = now
    for (const user of accounts.listUsers()) {
      await runInBatches(async () => usage.deleteSome(user.id, now - KEEP_USAGE_MS), stop)
      const maxBytes = plans[user.plan].maxDatabaseBytes * MAX_HISTORY_SHARE
      await runInBatches(async () => usage.databaseBytes(user.id) > maxBytes && makeRoom(user.id, stop), stop)
    }
    await runInBatches(async () => apiKeys.deleteSomeRevoked(now - KEEP_REVOKED_KEYS_MS), stop)
  }
}
