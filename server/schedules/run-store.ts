import { and, count, desc, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/open.ts'
import { scheduleRuns, schedules } from '../db/schedule-schema.ts'
import { jobs } from '../db/schema.ts'
import type { OnJobEnd } from '../jobs/lifecycle/transition-store.ts'
import type { EventStore } from '../notifiers/event-store.ts'
import { type ListPlace, NEWEST } from '../paging.ts'
import type { RunStatus } from '../vocabulary.ts'
import { openChangeStore } from './change-store.ts'
import { MAX_FAILED_RUNS, type ScheduleRun } from './schedule.ts'

/** Writes what becomes of runs, and reads it. */
export type RunStore = ReturnType<typeof openRunStore>

/** What happens to runs and schedules, for those who watch the service. */
export type ScheduleEvent = 'started' | 'completed' | 'failed' | 'paused'

/**
 * @param events get the end of each job, after what becomes of its run
 * @param counted is told of each event
 */
export function openRunStore(
  db: Database,
  events: Pick<EventStore, 'jobEnded' | 'schedulePaused'>,
  counted: (event: ScheduleEvent) => void = () => {},
) {
  const { compare, expireOlder } = openChangeStore(db)
  const { orm } = db
  const scheduleId = sql.placeholder('scheduleId')
  const jobId = sql.placeholder('jobId')
  const ofSchedule = eq(scheduleRuns.scheduleId, scheduleId)
  const olderThan = sql`(${scheduleRuns.createdAt}, ${scheduleRuns.id}) < (${sql.placeholder('createdAt')}, ${sql.placeholder('id')})`
  const page = orm
    .select(RUN)
    .from(scheduleRuns)
    .leftJoin(jobs, eq(jobs.id, scheduleRuns.jobId))
    .where(and(ofSchedule, olderThan))
    .orderBy(...NEWEST_RUN_FIRST)
    .limit(sql.placeholder('limit'))
    .prepare()
  const total = orm.select({ total: count() }).from(scheduleRuns).where(ofSchedule).prepare()
  const unfinished = orm
    .select({ total: count() })
    .from(jobs)
    .where(and(eq(jobs.scheduleId, scheduleId), isUnfinished, ne(jobs.id, jobId)))
    .prepare()
  const unfinishedOf = orm
    .select({ total: count() })
    .from(jobs)
    .where(and(eq(jobs.userId, sql.placeholder('userId')), isUnfinished, isNotNull(jobs.scheduleId)))
    .prepare()
  const newest = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.scheduleId, scheduleId),
        eq(jobs.status, 'completed'),
        isNull(jobs.sweptAt),
        gt(jobs.expiresAt, sql.placeholder('now')),
      ),
    )
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(1)
    .prepare()
  const ofJob = orm
    .select({
      id: scheduleRuns.id,
      scheduleId: schedules.id,
      keep: schedules.keep,
      baseJobId: jobs.baseJobId,
      failureCode: jobs.failureCode,
      failureMessage: jobs.failureMessage,
    })
    .from(scheduleRuns)
    .innerJoin(schedules, eq(schedules.id, scheduleRuns.scheduleId))
    .innerJoin(jobs, eq(jobs.id, scheduleRuns.jobId))
    .where(eq(scheduleRuns.jobId, jobId))
    .prepare()

  function addRun(tx: Tx, run: Omit<typeof scheduleRuns.$inferInsert, 'id'>): void {
    tx.insert(scheduleRuns)
      .values({ id: Bun.randomUUIDv7(), ...run })
      .run()
    const old = tx
      .select({ id: scheduleRuns.id })
      .from(scheduleRuns)
      .where(eq(scheduleRuns.scheduleId, run.scheduleId))
      .orderBy(...NEWEST_RUN_FIRST)
      .limit(Number.MAX_SAFE_INTEGER)
      .offset(MAX_RUNS)
    tx.delete(scheduleRuns).where(inArray(scheduleRuns.id, old)).run()
  }

  /** Counts a failed run, and pauses the schedule if it is one too many. */
  function countFailed(tx: Tx, id: string, message: string, now: number): void {
    const isCounted = eq(schedules.id, id)
    const schedule = tx
      .update(schedules)
      .set({ failedRuns: sql`${schedules.failedRuns} + 1` })
      .where(isCounted)
      .returning({
        userId: schedules.userId,
        name: schedules.name,
        status: schedules.status,
        failedRuns: schedules.failedRuns,
      })
      .get()
    if (schedule === undefined || schedule.status === 'paused' || schedule.failedRuns < MAX_FAILED_RUNS)
      return
    const { userId, name, failedRuns } = schedule
    const reason = `${WORDS[failedRuns] ?? failedRuns} runs in a row have failed. The last one: ${message}`
    tx.update(schedules)
      .set({ status: 'paused', pausedReason: reason, nextRunAt: null })
      .where(isCounted)
      .run()
    counted('paused')
    events.schedulePaused(tx, { scheduleId: id, userId, name, reason, failedRuns }, now)
  }

  /**
   * Records the end of a job. If it is a run: what has changed, which older archives go, and whether the schedule is paused; all in
   * the transaction that ends the job.
   */
  const jobEnded: OnJobEnd = (tx, job, status, now) => {
    if (job.scheduleId !== null) endRun(tx, job.jobId, status, now)
    // After `endRun`: the message tells what that has found changed.
    events.jobEnded(tx, job, status, now)
  }

  return {
    /** Newest first. */
    page(ofId: string, after: ListPlace | null, limit: number): ScheduleRun[] {
      return page.all({ scheduleId: ofId, limit, ...(after ?? NEWEST) }).map(runOf)
    },
    count: (ofId: string): number => total.get({ scheduleId: ofId })?.total ?? 0,
    last(ofId: string): ScheduleRun | null {
      return page.all({ scheduleId: ofId, limit: 1, ...NEWEST }).map(runOf)[0] ?? null
    },
    /** Whether a run is under way, other than that of a job. */
    isRunning: (ofId: string, exceptJobId = ''): boolean =>
      (unfinished.get({ scheduleId: ofId, jobId: exceptJobId })?.total ?? 0) > 0,
    /** How many runs of a user are under way. */
    runningOf: (userId: string): number => unfinishedOf.get({ userId })?.total ?? 0,
    /** The job of the newest complete archive that is still kept; null when there is none. */
    newestArchive: (ofId: string, now: number): string | null =>
      newest.get({ scheduleId: ofId, now })?.id ?? null,

    /** Records that a run begins, in the transaction that creates its job. */
    begun(tx: Tx, ofId: string, ofJobId: string, now: number): void {
      addRun(tx, { scheduleId: ofId, jobId: ofJobId, createdAt: now, status: 'running' })
      counted('started')
    },
    /** Records that what was due has begun or was refused: the schedule is due again at `nextRunAt`. */
    advance(tx: Tx, id: string, dueAt: number, nextRunAt: number | null): void {
      tx.update(schedules).set({ nextRunAt, lastDueAt: dueAt }).where(eq(schedules.id, id)).run()
    },
    /** Records a run that got no job: it counts as a failed one. */
    refused(tx: Tx, id: string, { code, message }: { code: string; message: string }, now: number): void {
      const failure = { failureCode: code, failureMessage: message }
      addRun(tx, { ...failure, scheduleId: id, createdAt: now, endedAt: now, status: 'failed' })
      counted('failed')
      countFailed(tx, id, message, now)
    },
    jobEnded,
  }

  function endRun(tx: Tx, endedJobId: string, status: 'completed' | 'failed', now: number): void {
    const run = ofJob.get({ jobId: endedJobId })
    if (run === undefined) return
    counted(status)
    const isCompleted = status === 'completed'
    const changes = isCompleted ? compare(tx, endedJobId, run.baseJobId) : null
    const { failureCode, failureMessage } = run
    tx.update(scheduleRuns)
      .set({ status, endedAt: now, failureCode, failureMessage, changes })
      .where(eq(scheduleRuns.id, run.id))
      .run()
    if (isCompleted) {
      tx.update(schedules).set({ failedRuns: 0 }).where(eq(schedules.id, run.scheduleId)).run()
      expireOlder(tx, run.scheduleId, run.keep, now)
    } else if (failureCode !== 'CANCELLED') countFailed(tx, run.scheduleId, failureMessage ?? '', now)
  }
}

const isUnfinished = inArray(jobs.status, ['pending', 'processing'])

const NEWEST_RUN_FIRST = [desc(scheduleRuns.createdAt), desc(scheduleRuns.id)]

const isLeftRunning = eq(scheduleRuns.status, 'running')

/** A run whose job was deleted before its end has no end of its own. A retry makes a failed run one that is under way again. */
const RUN = {
  id: scheduleRuns.id,
  jobId: scheduleRuns.jobId,
  createdAt: scheduleRuns.createdAt,
  changes: scheduleRuns.changes,
  status: sql<RunStatus>`CASE WHEN ${isUnfinished} THEN 'running' WHEN ${isLeftRunning} THEN 'failed' ELSE ${scheduleRuns.status} END`,
  endedAt: sql<number | null>`CASE WHEN ${isUnfinished} THEN NULL ELSE ${scheduleRuns.endedAt} END`,
  failureCode: sql<
    string | null
  >`CASE WHEN ${isLeftRunning} THEN 'DELETED' ELSE ${scheduleRuns.failureCode} END`,
  failureMessage: sql<
    string | null
  >`CASE WHEN ${isLeftRunning} THEN 'The job was deleted before its end.' ELSE ${scheduleRuns.failureMessage} END`,
}

function runOf({ failureCode, failureMessage, changes, ...run }: RunRow): ScheduleRun {
  return {
    ...run,
    failure: run.status === 'failed' ? { code: failureCode ?? '', message: failureMessage ?? '' } : null,
    changes: run.status === 'completed' ? changes : null,
  }
}

/** More than a year of daily runs. */
const MAX_RUNS = 400

const WORDS: Readonly<Record<number, string>> = { [MAX_FAILED_RUNS]: 'Five' }

interface RunRow extends Omit<ScheduleRun, 'failure'> {
  readonly failureCode: string | null
  readonly failureMessage: string | null
}
