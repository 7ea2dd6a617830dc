// server/decisions/schedules.md says when a run begins, and which archives stay.

import type { Plans } from '../accounts/plan.ts'
import type { UsageMeter } from '../accounts/usage.ts'
import type { User } from '../accounts/user.ts'
import type { Source } from '../engine/job-order.ts'
import { ServiceError } from '../errors.ts'
import { assertUrlCount } from '../jobs/limits.ts'
import { decodeCursor, type PageRequest, pageOf } from '../paging.ts'
import type { Logins } from '../sites/logins.ts'
import type { Clock } from '../time/clock.ts'
import { cronOf, nextTimeAfter } from './recurrence.ts'
import type { RunStore } from './run-store.ts'
import { assertIntervalWithinPlan } from './runs.ts'
import {
  MAX_SCHEDULES,
  type NewSchedule,
  type Schedule,
  type ScheduleChanges,
  type ScheduleList,
  type ScheduleRun,
  type ScheduleState,
  scheduleNotFound,
} from './schedule.ts'
import type { ScheduleColumns, ScheduleStore, StoredSchedule } from './schedule-store.ts'

export interface SchedulesOptions {
  readonly store: ScheduleStore
  readonly runStore: RunStore
  readonly logins: Pick<Logins, 'seal'>
  readonly usage: Pick<UsageMeter, 'assertRowsWithinLimit' | 'assertWithinQuota'>
  readonly plans: Plans
  readonly clock: Clock
  /** Called when a job becomes the first one of a schedule. */
  jobChanged(job: { readonly jobId: string; readonly userId: string }): void
}

export interface SchedulePage {
  readonly schedules: readonly ScheduleState[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

export interface RunPage {
  readonly runs: readonly ScheduleRun[]
  readonly total: number
  readonly nextCursor: string | null
}

export type Schedules = ReturnType<typeof openSchedules>

/** The operations of a user on schedules. Those of other users are `NOT_FOUND`, as if they did not exist. */
export function openSchedules(options: SchedulesOptions) {
  const { store, runStore, clock } = options

  function owned(user: User, scheduleId: string): StoredSchedule {
    const schedule = store.find(scheduleId)
    if (schedule === null || schedule.userId !== user.id) throw scheduleNotFound()
    return schedule
  }

  function stateOf(schedule: StoredSchedule): ScheduleState {
    return { ...schedule, lastRun: runStore.last(schedule.id) }
  }

  function seal(scheduleId: string, headers: NewSchedule['headers'], usesSites: boolean) {
    const { headerNames, sealed } = options.logins.seal(scheduleId, headers, usesSites)
    return { headerNames, sealedHeaders: sealed }
  }

  /** @throws ServiceError `PLAN_LIMIT_EXCEEDED`, as a run would */
  function assertWithinPlan(user: User, { cron, urlCount }: Pick<Schedule, 'cron' | 'urlCount'>): void {
    const plan = options.plans[user.plan]
    assertUrlCount(plan, urlCount)
    assertIntervalWithinPlan(plan, cron)
  }

  return {
    /**
     * `PLAN_LIMIT_EXCEEDED` when the user has too many schedules, or the plan has no such short interval or long list. `NOT_FOUND` when
     * there is no such archive to begin with, `QUOTA_EXCEEDED` when it can't be kept any longer.
     */
    create(user: User, { list, headers, cron: given, firstJobId, ...settings }: NewSchedule): ScheduleState {
      const now = clock()
      const { timeZone, usesSites } = settings
      const id = Bun.randomUUIDv7()
      const cron = cronFrom({ interval: settings.interval, cron: given }, now, timeZone)
      const schedule: ScheduleColumns = {
        ...settings,
        ...listColumns(list),
        ...seal(id, headers, usesSites),
        id,
        userId: user.id,
        status: 'active',
        pausedReason: null,
        cron,
        nextRunAt: nextTimeAfter({ cron, timeZone }, now),
        failedRuns: 0,
        createdAt: now,
      }
      assertWithinPlan(user, schedule)
      options.usage.assertRowsWithinLimit(user)
      if (firstJobId !== null) options.usage.assertWithinQuota(user, options.plans[user.plan])
      if (!store.addWithin(MAX_SCHEDULES, schedule, sourcesOf(list), firstJobId)) throw tooManySchedules()
      if (firstJobId !== null) options.jobChanged({ jobId: firstJobId, userId: user.id })
      return stateOf(owned(user, id))
    },

    /** A page of the user's schedules, newest first. */
    list(user: User, { cursor, limit }: PageRequest): SchedulePage {
      const list = `schedules of ${user.id}`
      const after = cursor === null ? null : decodeCursor(list, cursor)
      const { items, nextCursor } = pageOf(list, store.page(user.id, after, limit + 1), limit)
      return { schedules: items.map(stateOf), total: store.count(user.id), nextCursor }
    },

    get: (user: User, scheduleId: string): ScheduleState => stateOf(owned(user, scheduleId)),

    /** The URLs of a schedule. */
    sourcesOf: ({ id }: Schedule): Iterable<Source> => ({ [Symbol.iterator]: () => store.sources(id) }),

    /**
     * Changes what is given. A schedule that becomes active forgets its failures. A new interval, and another time zone, count from now
     * on: what was due already is due no more.
     */
    change(user: User, scheduleId: string, changes: ScheduleChanges): ScheduleState {
      const { list, headers, every, status, ...settings } = changes
      const before = owned(user, scheduleId)
      const now = clock()
      const { lastDueAt, ...columns } = before
      const given = { ...columns, ...settings, ...(list === undefined ? {} : listColumns(list)) }
      const timing = every === undefined ? {} : timingOf(every, now, given.timeZone)
      const changed: ScheduleColumns = {
        ...given,
        ...timing,
        ...(headers === undefined ? {} : seal(scheduleId, headers, given.usesSites)),
        ...(status === undefined ? {} : { status, pausedReason: null }),
        ...(status === 'active' && before.status === 'paused' && { failedRuns: 0 }),
      }
      const { cron, timeZone } = changed
      const isTimed = every !== undefined || settings.timeZone !== undefined || status !== undefined
      const next = nextTimeAfter({ cron, timeZone }, Math.max(now, lastDueAt ?? 0))
      const nextRunAt = changed.status === 'paused' ? null : isTimed ? next : before.nextRunAt
      if (list !== undefined || every !== undefined) assertWithinPlan(user, changed)
      if (list !== undefined) options.usage.assertRowsWithinLimit(user)
      const sources = list === undefined ? null : sourcesOf(list)
      if (!store.change({ ...changed, nextRunAt }, sources)) throw scheduleNotFound()
      return stateOf(owned(user, scheduleId))
    },

    /** Deletes the schedule. A run that is under way goes on, and archives stay as long as the plan keeps any. */
    remove(user: User, scheduleId: string): void {
      owned(user, scheduleId)
      const now = clock()
      const expiresAt = now + options.plans[user.plan].maxRetentionSeconds * 1000
      if (!store.remove(scheduleId, now, expiresAt)) throw scheduleNotFound()
    },

    /** A page of the runs of a schedule, newest first. */
    listRuns(user: User, scheduleId: string, { cursor, limit }: PageRequest): RunPage {
      owned(user, scheduleId)
      const list = `runs of ${scheduleId}`
      const after = cursor === null ? null : decodeCursor(list, cursor)
      const { items, nextCursor } = pageOf(list, runStore.page(scheduleId, after, limit + 1), limit)
      return { runs: items, total: runStore.count(scheduleId), nextCursor }
    },
  }
}

function timingOf(every: Pick<NewSchedule, 'interval' | 'cron'>, now: number, timeZone: string) {
  return { interval: every.interval, cron: cronFrom(every, now, timeZone) }
}

function cronFrom(
  { interval, cron }: Pick<NewSchedule, 'interval' | 'cron'>,
  now: number,
  timeZone: string,
): string {
  return interval === null ? (cron ?? '') : cronOf(interval, now, timeZone)
}

function listColumns(list: ScheduleList): Pick<Schedule, 'asFiles' | 'urlCount' | 'page'> {
  if (list.page !== null) return { asFiles: false, urlCount: 0, page: list.page }
  return { asFiles: list.asFiles, urlCount: list.sources.length, page: null }
}

function sourcesOf(list: ScheduleList): readonly Source[] {
  return list.page === null ? list.sources : []
}

function tooManySchedules(): ServiceError {
  return new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `On every plan, a user may have ${MAX_SCHEDULES} schedules, and you have that many. Delete one that you no longer use.`,
  )
}
