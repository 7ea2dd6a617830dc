import type { Database, Tx } from '../db/open.ts'
import type { JobSnapshot, PausedSchedule } from '../db/snapshots.ts'
import type { UrlError } from '../jobs/job.ts'
import type { OnJobEnd } from '../jobs/lifecycle/transition-store.ts'
import type { FailureCode, JobStatus, MessageType, NotifierEvent } from '../vocabulary.ts'

/** Writes what notifiers are notified of. */
export type EventStore = ReturnType<typeof openEventStore>

export function openEventStore(db: Database) {
  const notifiersOf = db.prepare<
    { id: string },
    { userId: string; type: MessageType; alsoAs: NotifierEvent }
  >(
    `SELECT id FROM notifiers WHERE user_id = $userId AND disabled_at IS NULL
       AND EXISTS (SELECT 1 FROM json_each(events) WHERE value IN ($type, $alsoAs))`,
  )
  const countChanges = db.prepare<{ count: number | null }, { jobId: string }>(
    `SELECT changes ->> 'added' + changes ->> 'changed' + changes ->> 'kept' + changes ->> 'gone' AS count
     FROM jobs WHERE id = $jobId`,
  )
  const endedJob = db.prepare<JobColumns, { jobId: string }>(
    `SELECT zip_filename AS zipFilename, url_count AS urlCount, file_count AS fileCount, zip_bytes AS zipBytes, warning_count AS warningCount,
       failure_code AS failureCode, failure_message AS failureMessage, expires_at AS expiresAt, metadata,
       schedule_id AS scheduleId, changes
     FROM jobs WHERE id = $jobId`,
  )
  const countErrors = db.prepare<{ errorCount: number }, { jobId: string }>(
    `SELECT count(*) AS errorCount FROM entries WHERE job_id = $jobId AND status = 'failed'`,
  )
  const firstErrors = db.prepare<UrlError, { jobId: string }>(
    `SELECT url, coalesce(error, '') AS error FROM entries JOIN sources USING (job_id, position)
     WHERE job_id = $jobId AND status = 'failed' ORDER BY position LIMIT ${MAX_ERRORS}`,
  )
  const addEvent = db.prepareWrite<null, EventColumns>(
    `INSERT INTO notifier_events (id, user_id, type, job_id, snapshot, created_at, database_bytes)
     VALUES ($id, $userId, $type, $jobId, $snapshotJson, $now, $databaseBytes)`,
  )
  const addDelivery = db.prepareWrite<null, { id: string; notifierId: string; eventId: string; now: number }>(
    `INSERT INTO notifier_deliveries (id, notifier_id, event_id, status, created_at, next_attempt_at)
     VALUES ($id, $notifierId, $eventId, 'pending', $now, $now)`,
  )

  function snapshotOf(jobId: string, status: JobStatus): JobSnapshot {
    const job = endedJob.get({ jobId })
    if (job === null) throw new Error('the job that has ended does not exist')
    const { failureCode, failureMessage, metadata, changes, ...columns } = job
    return {
      ...columns,
      status,
      errorCount: countErrors.get({ jobId })?.errorCount ?? 0,
      errors: firstErrors.all({ jobId }),
      failure: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' },
      metadata: JSON.parse(metadata),
      changes: changes === null ? null : JSON.parse(changes),
    }
  }

  /**
   * Writes an event with the job as it is now, and one delivery of it per notifier of the owner that is notified of such ends: in
   * the transaction that ends the job, so that no crash loses the deliveries.
   */
  const jobEnded: OnJobEnd = (tx, { jobId, userId }, status, now) => {
    const type: MessageType = `job.${status}`
    const hasChanged = status === 'completed' && (countChanges.get({ jobId })?.count ?? 0) > 0
    const alsoAs = hasChanged ? 'job.changed' : type
    happened(tx, { userId, type, alsoAs, jobId, now }, () => snapshotOf(jobId, status))
  }

  function happened(
    tx: Tx,
    { userId, alsoAs, ...event }: HappenedEvent,
    snapshot: () => JobSnapshot | PausedSchedule,
  ): void {
    const { type, now } = event
    const notifiers = notifiersOf.all({ userId, type, alsoAs })
    if (notifiers.length === 0) return
    const eventId = Bun.randomUUIDv7()
    const snapshotJson = JSON.stringify(snapshot())
    const databaseBytes = bytesOf(snapshotJson, notifiers.length)
    addEvent.run(tx, { ...event, id: eventId, userId, snapshotJson, databaseBytes })
    for (const { id: notifierId } of notifiers)
      addDelivery.run(tx, { id: Bun.randomUUIDv7(), notifierId, eventId, now })
  }

  return {
    jobEnded,
    /** The same for a schedule, in the transaction that pauses it. */
    schedulePaused(tx: Tx, { userId, ...paused }: PausedSchedule & { userId: string }, now: number): void {
      const type = 'schedule.paused'
      happened(tx, { userId, type, alsoAs: type, jobId: null, now }, () => paused)
    },
    /** Writes a `ping` and its only delivery, with this id. */
    pinged(tx: Tx, deliveryId: string, notifier: { id: string; userId: string }, now: number): void {
      const id = Bun.randomUUIDv7()
      const { id: notifierId, userId } = notifier
      const databaseBytes = bytesOf('', 1)
      addEvent.run(tx, { id, userId, type: 'ping', jobId: null, snapshotJson: null, now, databaseBytes })
      addDelivery.run(tx, { id: deliveryId, notifierId, eventId: id, now })
    },
  }
}

/** Enough to find the cause. A message with as many of the longest URLs has 1 MB. */
const MAX_ERRORS = 100

/** What an event and its deliveries take in the database, with their rows in indexes. */
function bytesOf(snapshotJson: string, deliveries: number): number {
  return Buffer.byteLength(snapshotJson) + EVENT_BYTES + deliveries * DELIVERY_BYTES
}

const EVENT_BYTES = 400
const DELIVERY_BYTES = 500

interface JobColumns {
  readonly zipFilename: string
  readonly urlCount: number
  readonly fileCount: number
  readonly zipBytes: number
  readonly warningCount: number
  readonly failureCode: FailureCode | null
  readonly failureMessage: string | null
  readonly expiresAt: number | null
  /** JSON. */
  readonly metadata: string
  readonly scheduleId: string | null
  /** JSON. */
  readonly changes: string | null
}

interface HappenedEvent extends Pick<EventColumns, 'userId' | 'type' | 'jobId' | 'now'> {
  /** Notifiers of this are told, too. */
  readonly alsoAs: NotifierEvent
}

type EventColumns = {
  readonly id: string
  readonly userId: string
  readonly type: MessageType
  readonly jobId: string | null
  readonly snapshotJson: string | null
  readonly now: number
  readonly databaseBytes: number
}
