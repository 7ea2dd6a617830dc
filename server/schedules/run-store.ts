import type { Database, Tx } from '../db/open.ts'
import type { RunChanges } from '../jobs/job.ts'
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
  const page = db.prepare<RunRow, { createdAt: number; id: string; scheduleId: string; limit: number }>(
    `${SELECT_RUNS} WHERE r.schedule_id = $scheduleId AND (r.created_at, r.id) < ($createdAt, $id)
     ORDER BY r.created_at DESC, r.id DESC LIMIT $limit`,
  )
  const total = db.prepare<{ total: number }, { scheduleId: string }>(
    'SELECT count(*) AS total FROM schedule_runs WHERE schedule_id = $scheduleId',
  )
  const unfinished = db.prepare<{ count: number }, { scheduleId: string; jobId: string }>(
    `SELECT count(*) AS count FROM jobs
     WHERE schedule_id = $scheduleId AND status IN ('pending', 'processing') AND id <> $jobId`,
  )
  const unfinishedOf = db.prepare<{ count: number }, { userId: string }>(
    `SELECT count(*) AS count FROM jobs
     WHERE user_id = $userId AND status IN ('pending', 'processing') AND schedule_id IS NOT NULL`,
  )
  const newest = db.prepare<{ id: string }, { scheduleId: string; now: number }>(
    `SELECT id FROM jobs
     WHERE schedule_id = $scheduleId AND status = 'completed' AND swept_at IS NULL AND expires_at > $now
     ORDER BY created_at DESC, id DESC LIMIT 1`,
  )
  const ofJob = db.prepare<RunOfJob, { jobId: string }>(
    `SELECT r.id, r.schedule_id AS scheduleId, s.keep, j.base_job_id AS baseJobId, j.failure_code AS failureCode,
       j.failure_message AS failureMessage
     FROM schedule_runs r JOIN schedules s ON s.id = r.schedule_id JOIN jobs j ON j.id = r.job_id
     WHERE r.job_id = $jobId`,
  )
  const add = db.prepareWrite<null, AddedRun>(
    `INSERT INTO schedule_runs (id, schedule_id, job_id, created_at, ended_at, status, failure_code, failure_message)
     VALUES ($id, $scheduleId, $jobId, $now, $endedAt, $status, $failureCode, $failureMessage)`,
  )
  const forgetOld = db.prepareWrite<null, { scheduleId: string }>(
    `DELETE FROM schedule_runs WHERE id IN (SELECT id FROM schedule_runs WHERE schedule_id = $scheduleId
       ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ${MAX_RUNS})`,
  )
  const advance = db.prepareWrite<null, { scheduleId: string; dueAt: number; nextRunAt: number | null }>(
    'UPDATE schedules SET next_run_at = $nextRunAt, last_due_at = $dueAt WHERE id = $scheduleId',
  )
  const end = db.prepareWrite<null, EndedRun>(
    `UPDATE schedule_runs SET status = $status, ended_at = $now, failure_code = $failureCode,
       failure_message = $failureMessage, changes = $changes WHERE id = $id`,
  )
  const succeeded = db.prepareWrite<null, { scheduleId: string }>(
    'UPDATE schedules SET failed_runs = 0 WHERE id = $scheduleId',
  )
  const failed = db.prepareWrite<FailingSchedule, { scheduleId: string }>(
    `UPDATE schedules SET failed_runs = failed_runs + 1 WHERE id = $scheduleId
     RETURNING user_id AS userId, name, status, failed_runs AS failedRuns`,
  )
  const pause = db.prepareWrite<null, { scheduleId: string; reason: string }>(
    `UPDATE schedules SET status = 'paused', paused_reason = $reason, next_run_at = NULL WHERE id = $scheduleId`,
  )

  function addRun(tx: Tx, run: Omit<AddedRun, 'id'>): void {
    add.run(tx, { id: Bun.randomUUIDv7(), ...run })
    forgetOld.run(tx, { scheduleId: run.scheduleId })
  }

  /** Counts a failed run, and pauses the schedule if it is one too many. */
  function countFailed(tx: Tx, scheduleId: string, message: string, now: number): void {
    const schedule = failed.get(tx, { scheduleId })
    if (schedule === null || schedule.status === 'paused' || schedule.failedRuns < MAX_FAILED_RUNS) return
    const { userId, name, failedRuns } = schedule
    const reason = `${WORDS[failedRuns] ?? failedRuns} runs in a row have failed. The last one: ${message}`
    pause.run(tx, { scheduleId, reason })
    counted('paused')
    events.schedulePaused(tx, { scheduleId, userId, name, reason, failedRuns }, now)
  }

  /**
   * Records the end of a job. If it is a run: what has changed, which older archives go, and whether the schedule is paused; all in
   * the transaction that ends the job.
   */
  const jobEnded: OnJobEnd = (tx, job, status, now) => {
    endRun(tx, job.jobId, status, now)
    // Its message tells what has changed.
    events.jobEnded(tx, job, status, now)
  }

  return {
    /** Newest first. */
    page(scheduleId: string, after: ListPlace | null, limit: number): ScheduleRun[] {
      return page.all({ scheduleId, limit, ...(after ?? NEWEST) }).map(runOf)
    },
    count: (scheduleId: string): number => total.get({ scheduleId })?.total ?? 0,
    last(scheduleId: string): ScheduleRun | null {
      return page.all({ scheduleId, limit: 1, ...NEWEST }).map(runOf)[0] ?? null
    },
    /** Whether a run is under way, other than that of a job. */
    isRunning: (scheduleId: string, jobId = ''): boolean =>
      (unfinished.get({ scheduleId, jobId })?.count ?? 0) > 0,
    /** How many runs of a user are under way. */
    runningOf: (userId: string): number => unfinishedOf.get({ userId })?.count ?? 0,
    /** The job of the newest complete archive that is still kept; null when there is none. */
    newestArchive: (scheduleId: string, now: number): string | null =>
      newest.get({ scheduleId, now })?.id ?? null,

    /** Records that a run begins, in the transaction that creates its job. */
    begun(tx: Tx, scheduleId: string, jobId: string, now: number): void {
      addRun(tx, { ...NO_FAILURE, scheduleId, jobId, now, endedAt: null, status: 'running' })
      counted('started')
    },
    /** Records that what was due has begun or was refused: the schedule is due again at `nextRunAt`. */
    advance(tx: Tx, scheduleId: string, dueAt: number, nextRunAt: number | null): void {
      advance.run(tx, { scheduleId, dueAt, nextRunAt })
    },
    /** Records a run that got no job: it counts as a failed one. */
    refused(
      tx: Tx,
      scheduleId: string,
      { code, message }: { code: string; message: string },
      now: number,
    ): void {
      const failure = { failureCode: code, failureMessage: message }
      addRun(tx, { ...failure, scheduleId, jobId: null, now, endedAt: now, status: 'failed' })
      counted('failed')
      countFailed(tx, scheduleId, message, now)
    },
    jobEnded,
  }

  function endRun(tx: Tx, jobId: string, status: 'completed' | 'failed', now: number): void {
    const run = ofJob.get({ jobId })
    if (run === null) return
    const { id, scheduleId, keep, baseJobId, failureCode, failureMessage } = run
    counted(status)
    if (status === 'completed') {
      const changes = compare(tx, jobId, baseJobId)
      end.run(tx, { ...NO_FAILURE, id, now, status, changes: JSON.stringify(changes) })
      succeeded.run(tx, { scheduleId })
      expireOlder(tx, scheduleId, keep, now)
      return
    }
    end.run(tx, { failureCode, failureMessage, id, now, status, changes: null })
    if (failureCode !== 'CANCELLED') countFailed(tx, scheduleId, failureMessage ?? '', now)
  }
}

/** A run whose job was deleted before its end has no end of its own. A retry makes a failed run one that is under way again. */
const SELECT_RUNS = `
  SELECT r.id, r.job_id AS jobId, r.created_at AS createdAt, r.changes,
    CASE WHEN j.status IN ('pending', 'processing') THEN 'running' WHEN r.status = 'running' THEN 'failed' ELSE r.status END AS status,
    CASE WHEN j.status IN ('pending', 'processing') THEN NULL ELSE r.ended_at END AS endedAt,
    CASE WHEN r.status = 'running' THEN 'DELETED' ELSE r.failure_code END AS failureCode,
    CASE WHEN r.status = 'running' THEN 'The job was deleted before its end.' ELSE r.failure_message END AS failureMessage
  FROM schedule_runs r LEFT JOIN jobs j ON j.id = r.job_id`

function runOf({ failureCode, failureMessage, changes, ...run }: RunRow): ScheduleRun {
  return {
    ...run,
    failure: run.status === 'failed' ? { code: failureCode ?? '', message: failureMessage ?? '' } : null,
    changes: run.status === 'completed' && changes !== null ? parseChanges(changes) : null,
  }
}

function parseChanges(json: string): RunChanges {
  return JSON.parse(json)
}

/** More than a year of daily runs. */
const MAX_RUNS = 400

const NO_FAILURE = { failureCode: null, failureMessage: null }

const WORDS: Readonly<Record<number, string>> = { [MAX_FAILED_RUNS]: 'Five' }

interface RunRow {
  readonly id: string
  readonly jobId: string | null
  readonly createdAt: number
  readonly endedAt: number | null
  readonly status: RunStatus
  readonly failureCode: string | null
  readonly failureMessage: string | null
  /** JSON. */
  readonly changes: string | null
}

interface RunOfJob {
  readonly id: string
  readonly scheduleId: string
  readonly keep: number
  readonly baseJobId: string | null
  readonly failureCode: string | null
  readonly failureMessage: string | null
}

interface FailingSchedule {
  readonly userId: string
  readonly name: string
  readonly status: string
  readonly failedRuns: number
}

type AddedRun = {
  readonly id: string
  readonly scheduleId: string
  readonly jobId: string | null
  readonly now: number
  readonly endedAt: number | null
  readonly status: RunStatus
  readonly failureCode: string | null
  readonly failureMessage: string | null
}

type EndedRun = {
  readonly id: string
  readonly now: number
  readonly status: RunStatus
  readonly failureCode: string | null
  readonly failureMessage: string | null
  readonly changes: string | null
}
