import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Plan, Plans } from '../accounts/plan.ts'
import type { User } from '../accounts/user.ts'
import type { Tx } from '../db/open.ts'
import type { PageLink } from '../engine/inspection/link-list.ts'
import type { Source } from '../engine/job-order.ts'
import { ServiceError } from '../errors.ts'
import type { Inspections } from '../inspection/inspections.ts'
import { DEFAULT_SETTINGS, type NewJob } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Logins } from '../sites/logins.ts'
import type { Clock } from '../time/clock.ts'
import { shortestGapSeconds } from './recurrence.ts'
import type { RunStore } from './run-store.ts'
import { type PageList, scheduleNotFound, underWay } from './schedule.ts'
import type { ScheduleStore, StoredSchedule } from './schedule-store.ts'
import { zipNameOf } from './zip-name.ts'

export interface RunsOptions {
  readonly schedules: Pick<ScheduleStore, 'find' | 'sources'>
  readonly runs: RunStore
  readonly jobs: Pick<Jobs, 'createRun'>
  readonly inspections: Pick<Inspections, 'page'>
  readonly logins: Pick<Logins, 'open'>
  readonly plans: Plans
  readonly clock: Clock
}

/** Begins runs: each is a job like any other, within the plan and the quota of the user. */
export type Runs = ReturnType<typeof openRuns>

export function openRuns(options: RunsOptions) {
  const { schedules, runs, jobs, clock } = options
  /** Those whose run is about to begin: its page is being read. */
  const beginning = new Set<string>()

  /** @throws ServiceError when the page can't be read, has no such links, or more than are looked at */
  async function linksOf(user: User, { url, ...only }: PageList, signal: AbortSignal): Promise<Source[]> {
    using page = await options.inspections.page(user, { url, readsFolders: false, only }, signal)
    const sources: Source[] = []
    for (const json of page.linkLists) {
      const links: readonly PageLink[] = JSON.parse(new TextDecoder().decode(json))
      sources.push(...links.map((link) => ({ url: link.url, filename: null })))
      await nextTurn()
    }
    // Files that a run leaves out would be told as gone.
    if (page.total > sources.length)
      throw new ServiceError('PAGE_NOT_FETCHED', 'The page has more links than Holdall looks at.')
    if (sources.length > 0) return sources
    const isFiltered = only.kind !== null || only.match !== null
    const message = isFiltered ? 'No link of the page is of this kind, or matches.' : 'The page has no links.'
    throw new ServiceError('PAGE_NOT_FETCHED', message)
  }

  function jobFor(schedule: StoredSchedule, sources: readonly Source[], now: number): NewJob {
    const { onGone, sealedHeaders } = schedule
    const newest = runs.newestArchive(schedule.id, now)
    const reuse = schedule.reuses ? 'unchanged' : 'none'
    return {
      ...DEFAULT_SETTINGS,
      sources,
      asFiles: schedule.asFiles,
      zipBasename: zipNameOf(schedule, now),
      failOnUrlError: onGone === 'fail' || (onGone === 'keep' && schedule.failOnUrlError),
      failOnWarning: schedule.failOnWarning,
      hasManifest: schedule.hasManifest,
      metadata: schedule.metadata,
      headers: sealedHeaders === null ? [] : options.logins.open(schedule.id, sealedHeaders),
      usesSites: schedule.usesSites,
      base: newest === null ? null : { jobId: newest, reuse, keepsGone: onGone === 'keep' },
    }
  }

  return {
    /** Whether a run is under way, or about to begin. */
    isUnderWay: (scheduleId: string): boolean => beginning.has(scheduleId) || runs.isRunning(scheduleId),

    /**
     * Begins a run of a schedule.
     * @param also called in the transaction that creates the job
     * @returns the id of the job
     * @throws ServiceError when the user may not run it now, or its page can't be read; `INVALID_REQUEST` while a run is under way
     */
    async begin(
      user: User,
      scheduleId: string,
      also: (tx: Tx, schedule: StoredSchedule) => void,
      signal: AbortSignal,
    ): Promise<string> {
      if (this.isUnderWay(scheduleId)) throw underWay()
      beginning.add(scheduleId)
      try {
        const { page } = found(scheduleId)
        // Only a page is waited for. Then the schedule may have changed.
        const links = page === null ? null : await linksOf(user, page, signal)
        const schedule = found(scheduleId)
        assertIntervalWithinPlan(options.plans[user.plan], schedule.cron)
        const now = clock()
        const sources = links ?? [...schedules.sources(scheduleId)]
        const run = {
          scheduleId,
          record(tx: Tx, jobId: string, createdAt: number) {
            // A long list is written in several transactions. Between them, its schedule may be deleted, or an earlier run retried.
            const current = found(scheduleId)
            if (runs.isRunning(scheduleId, jobId)) throw underWay()
            runs.begun(tx, scheduleId, jobId, createdAt)
            also(tx, current)
          },
        }
        return await jobs.createRun(user, jobFor(schedule, sources, now), run, nextTurn)
      } finally {
        beginning.delete(scheduleId)
      }
    },

    /**
     * Begins a run of a schedule of the user now, also of a paused one. Throws what a new job throws; `INVALID_REQUEST` while a run is
     * under way, `PAGE_NOT_FETCHED` when the page of the schedule can't be read.
     * @returns the id of the job
     */
    async beginNow(user: User, scheduleId: string, signal: AbortSignal): Promise<string> {
      if (found(scheduleId).userId !== user.id) throw scheduleNotFound()
      return await this.begin(user, scheduleId, () => {}, signal)
    },
  }

  function found(scheduleId: string): StoredSchedule {
    const schedule = schedules.find(scheduleId)
    if (schedule === null) throw scheduleNotFound()
    return schedule
  }
}

/** @throws ServiceError `PLAN_LIMIT_EXCEEDED` when the plan has no such short interval */
export function assertIntervalWithinPlan(plan: Plan, cron: string): void {
  const seconds = shortestGapSeconds(cron)
  if (seconds === null || seconds >= plan.minScheduleSeconds) return
  throw new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `The ${plan.name} plan runs a schedule every ${inWords(plan.minScheduleSeconds)} at most, and this one asks for every ${inWords(seconds)}.`,
  )
}

function inWords(seconds: number): string {
  for (const [unit, name] of [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const) {
    if (seconds === unit) return name
    if (seconds % unit === 0) return `${seconds / unit} ${name}s`
  }
  return `${seconds} seconds`
}
