import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountStore } from '../accounts/account-store.ts'
import type { Database } from '../db/open.ts'
import { ServiceError } from '../errors.ts'
import { openFailureLog } from '../logging/failure-log.ts'
import type { Log } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'
import { nextTimeAfter } from './recurrence.ts'
import type { RunStore } from './run-store.ts'
import type { Runs } from './runs.ts'
import type { ScheduleStore, StoredSchedule } from './schedule-store.ts'

export interface ScheduleTimerOptions {
  readonly db: Database
  readonly schedules: ScheduleStore
  readonly runStore: RunStore
  readonly runs: Runs
  readonly accounts: Pick<AccountStore, 'userWithId'>
  readonly clock: Clock
  readonly log: Log
  /** Called when a run begins, with how long it was due. */
  onBegun(lateMs: number): void
}

/** Begins the runs that are due. Disposing of it stops those that have not begun. */
export interface ScheduleTimer extends AsyncDisposable {
  /** Looks every few seconds, until disposed of. */
  start(): void
  /** Begins what is due now, one run after the other. Resolves when all of it has begun, or waits for other runs. */
  runDue(): Promise<void>
}

/** A look without work is one query by an index. A command in another process may have asked for a run. */
const INTERVAL_MS = 2_000
/**
 * Between two runs that begin: when thousands are due at once, as after a start, other requests are served between them, and their
 * sources are not all asked in the same second.
 */
const SPACING_MS = 200
/** Runs of one user that are under way: the jobs that people wait for come first. */
const MAX_RUNS_OF_USER = 4
/** Schedules that are looked at without a pause: a few milliseconds, however many there are. */
const READ_TOGETHER = 50
/** How many pages are read at once. A user may have a few read, too. */
const MAX_PAGES = 2
/** When the service can't begin a run, for example because its disk is full. That is no fault of the schedule. */
const RETRY_MS = 60_000

export function openScheduleTimer(options: ScheduleTimerOptions): ScheduleTimer {
  const { db, schedules, runStore, runs, clock, log } = options
  const stop = new AbortController()
  const failures = openFailureLog(log, 'a run of a schedule could not begin')
  /** Those that wait for another attempt, and until when. */
  const waiting = new Map<string, number>()
  const pages = new Set<Promise<void>>()
  let timer: Timer | null = null
  let looking: Promise<void> | null = null
  let lastLook: number | null = null

  /** The time after what is done, also if the clock was ahead then: no time has two runs. */
  function nextRunOf({ status, cron, timeZone }: StoredSchedule, now: number, doneAt: number): number | null {
    return status === 'paused' ? null : nextTimeAfter({ cron, timeZone }, Math.max(now, doneAt))
  }

  /** After the clock was set back: what was put off by a clock that was ahead is due earlier. */
  async function putForward(now: number): Promise<void> {
    for (const [index, id] of schedules.withNextRun().entries()) {
      if (index % READ_TOGETHER === READ_TOGETHER - 1) await nextTurn()
      if (stop.signal.aborted) return
      const schedule = schedules.find(id)
      if (schedule === null || schedule.status === 'paused') continue
      const next = nextRunOf(schedule, now, schedule.lastDueAt ?? 0)
      if (next !== null && schedule.nextRunAt !== null && next < schedule.nextRunAt)
        schedules.setNextRun(id, next)
    }
    waiting.clear()
  }

  async function look(): Promise<void> {
    const now = clock()
    if (lastLook === null || now < lastLook) await putForward(now)
    lastLook = now
    /** Users who have as many runs under way as they may. */
    const busy = new Set<string>()
    for (const [index, { id, userId }] of schedules.due(now).entries()) {
      if (index % READ_TOGETHER === READ_TOGETHER - 1) await nextTurn()
      if (stop.signal.aborted) return
      if (busy.has(userId) || (waiting.get(id) ?? 0) > now) continue
      if (runStore.runningOf(userId) >= MAX_RUNS_OF_USER) {
        busy.add(userId)
        continue
      }
      if (runs.isUnderWay(id)) continue
      const schedule = schedules.find(id)
      if (schedule === null) continue
      if (schedule.page !== null) {
        if (pages.size >= MAX_PAGES) continue
        const begun = begin(schedule).finally(() => pages.delete(begun))
        pages.add(begun)
      } else {
        await begin(schedule)
        await Bun.sleep(SPACING_MS)
      }
    }
  }

  async function begin({ id, userId, nextRunAt }: StoredSchedule): Promise<void> {
    const user = options.accounts.userWithId(userId)
    if (user === null || nextRunAt === null) return
    try {
      const jobId = await runs.begin(
        user,
        id,
        (tx, schedule) => runStore.advance(tx, id, nextRunAt, nextRunOf(schedule, clock(), nextRunAt)),
        stop.signal,
      )
      waiting.delete(id)
      failures.noteSuccess()
      options.onBegun(Math.max(0, clock() - nextRunAt))
      log.info('a run of a schedule began', { schedule: id, job: jobId })
    } catch (error) {
      if (stop.signal.aborted) return
      if (!(error instanceof ServiceError) || TEMPORARY.has(error.code)) {
        waiting.set(id, clock() + RETRY_MS)
        failures.noteError(error, { schedule: id })
      } else refuse(id, nextRunAt, error)
    }
  }

  /** Records a run that the user may not have. What is due next is tried again. */
  function refuse(id: string, dueAt: number, error: ServiceError): void {
    waiting.delete(id)
    log.info('a run of a schedule was refused', { schedule: id, code: error.code })
    const now = clock()
    db.durably((tx) => {
      const schedule = schedules.find(id)
      if (schedule === null) return
      runStore.advance(tx, id, dueAt, nextRunOf(schedule, now, dueAt))
      runStore.refused(tx, id, error, now)
    })
  }

  async function runDue(): Promise<void> {
    looking ??= look().finally(() => {
      looking = null
    })
    await looking
  }

  async function lookAgain(): Promise<void> {
    try {
      await runDue()
    } catch (error) {
      failures.noteError(error)
    }
    if (timer !== null) timer = setTimeout(lookAgain, INTERVAL_MS)
  }

  return {
    start() {
      timer = setTimeout(lookAgain, INTERVAL_MS)
    },
    async runDue() {
      await runDue()
      await Promise.all(pages)
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the service stops'))
      if (timer !== null) clearTimeout(timer)
      timer = null
      await looking?.catch(() => {})
      await Promise.allSettled(pages)
    },
  }
}

/** Codes that say nothing about the schedule. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'UNAVAILABLE',
  'RATE_LIMITED',
  // Another run has begun, or the archive that this one would start from was deleted meanwhile.
  'INVALID_REQUEST',
  'NOT_FOUND',
])
