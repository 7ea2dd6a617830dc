import type { AccountStore } from '../accounts/account-store.ts'
import type { UsageMeter } from '../accounts/usage.ts'
import type { User } from '../accounts/user.ts'
import type { Database } from '../db/open.ts'
import type { Log } from '../logging/log.ts'
import type { Logins } from '../sites/logins.ts'
import type { RunStore } from './run-store.ts'
import { openRuns, type RunsOptions } from './runs.ts'
import { openScheduleStore } from './schedule-store.ts'
import { openSchedules, type Schedules } from './schedules.ts'
import { openScheduleTimer, type ScheduleTimer } from './timer.ts'

export interface SchedulePartOptions extends Omit<RunsOptions, 'schedules' | 'runs' | 'logins'> {
  readonly db: Database
  readonly runStore: RunStore
  readonly accounts: Pick<AccountStore, 'userWithId'>
  readonly usage: Pick<UsageMeter, 'assertRowsWithinLimit' | 'assertWithinQuota'>
  readonly logins: Pick<Logins, 'open' | 'seal'>
  readonly log: Log
  /** Called when a job becomes the first one of a schedule. */
  jobChanged(job: { readonly jobId: string; readonly userId: string }): void
  /** Called when a run begins by itself, with how long it was due. */
  onBegun(lateMs: number): void
}

/** What users do with schedules, and the timer that runs them. */
export interface SchedulePart {
  readonly schedules: Schedules
  readonly timer: ScheduleTimer
  /**
   * Begins a run now, also of a paused schedule. Throws what a new job throws; `INVALID_REQUEST` while a run is under way,
   * `PAGE_NOT_FETCHED` when the page of the schedule can't be read.
   * @returns the id of the job
   */
  runNow(user: User, scheduleId: string, signal: AbortSignal): Promise<string>
}

export function openSchedulePart(options: SchedulePartOptions): SchedulePart {
  const { db, runStore, accounts, log, clock } = options
  const store = openScheduleStore(db)
  const runs = openRuns({ ...options, schedules: store, runs: runStore })
  const schedules = openSchedules({ ...options, store })
  return {
    schedules,
    timer: openScheduleTimer({
      db,
      schedules: store,
      runStore,
      runs,
      accounts,
      clock,
      log,
      onBegun: options.onBegun,
    }),
    async runNow(user, scheduleId, signal) {
      const { id } = schedules.get(user, scheduleId)
      return await runs.begin(user, id, () => {}, signal)
    },
  }
}
