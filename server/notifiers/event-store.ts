import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'
import { notifierDeliveries, notifierEvents, notifiers } from '../db/notifier-schema.ts'
import type { Database, Tx } from '../db/open.ts'
import { entries, jobs, sources } from '../db/schema.ts'
import type { JobSnapshot, PausedSchedule } from '../db/snapshots.ts'
import type { OnJobEnd } from '../jobs/lifecycle/transition-store.ts'
import type { JobStatus, MessageType, NotifierEvent } from '../vocabulary.ts'

/** Writes what notifiers are notified of. */
export type EventStore = ReturnType<typeof openEventStore>

export function openEventStore(db: Database) {
  const { orm } = db
  const userId = sql.placeholder('userId')
  const jobId = sql.placeholder('jobId')
  const notifiersOf = orm
    .select({ id: notifiers.id, events: notifiers.events })
    .from(notifiers)
    .where(and(eq(notifiers.userId, userId), isNull(notifiers.disabledAt)))
    .prepare()
  const changesOf = orm.select({ changes: jobs.changes }).from(jobs).where(eq(jobs.id, jobId)).prepare()
  const endedJob = orm
    .select({
      zipFilename: jobs.zipFilename,
      urlCount: jobs.urlCount,
      fileCount: jobs.fileCount,
      zipBytes: jobs.zipBytes,
      warningCount: jobs.warningCount,
      failureCode: jobs.failureCode,
      failureMessage: jobs.failureMessage,
      expiresAt: jobs.expiresAt,
      metadata: jobs.metadata,
      scheduleId: jobs.scheduleId,
      changes: jobs.changes,
    })
    .from(jobs)
    .where(eq(jobs.id, jobId))
    .prepare()
  const isError = and(eq(entries.jobId, jobId), eq(entries.status, 'failed'))
  const countErrors = orm.select({ total: count() }).from(entries).where(isError).prepare()
  const firstErrors = orm
    .select({ url: sources.url, error: sql<string>`coalesce(${entries.error}, '')` })
    .from(entries)
    .innerJoin(sources, and(eq(sources.jobId, entries.jobId), eq(sources.position, entries.position)))
    .where(isError)
    .orderBy(asc(entries.position))
    .limit(MAX_ERRORS)
    .prepare()

  function snapshotOf(endedId: string, status: JobStatus): JobSnapshot {
    const job = endedJob.get({ jobId: endedId })
    if (job === undefined) throw new Error('the job that has ended does not exist')
    const { failureCode, failureMessage, ...columns } = job
    return {
      ...columns,
      status,
      errorCount: countErrors.get({ jobId: endedId })?.total ?? 0,
      errors: firstErrors.all({ jobId: endedId }),
      failure: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' },
    }
  }

  /** Whether its archive differs from the one before. */
  function hasChanged(endedId: string): boolean {
    const changes = changesOf.get({ jobId: endedId })?.changes ?? null
    return changes !== null && changes.added + changes.changed + changes.kept + changes.gone > 0
  }

  /**
   * Writes an event with the job as it is now, and one delivery of it per notifier of the owner that is notified of such ends: in
   * the transaction that ends the job, so that no crash loses the deliveries.
   */
  const jobEnded: OnJobEnd = (tx, { jobId: endedId, userId: ownerId }, status, now) =>
    happened(tx, { userId: ownerId, jobId: endedId, type: `job.${status}`, now }, () =>
      snapshotOf(endedId, status),
    )

  function happened(tx: Tx, event: HappenedEvent, snapshot: () => JobSnapshot | PausedSchedule): void {
    const told = notifiersOf.all({ userId: event.userId }).filter(({ events }) => isTold(events, event))
    if (told.length === 0) return
    const deliveries = told.map(({ id }) => ({ id: Bun.randomUUIDv7(), notifierId: id }))
    add(tx, event, JSON.stringify(snapshot()), deliveries)
  }

  function isTold(events: readonly NotifierEvent[], { type, jobId: endedId }: HappenedEvent): boolean {
    if (events.some((event) => event === type)) return true
    return (
      type === 'job.completed' && endedId !== null && events.includes('job.changed') && hasChanged(endedId)
    )
  }

  function add(
    tx: Tx,
    { now, ...event }: HappenedEvent,
    snapshotJson: string | null,
    deliveries: readonly { readonly id: string; readonly notifierId: string }[],
  ): void {
    const eventId = Bun.randomUUIDv7()
    tx.insert(notifierEvents)
      .values({
        ...event,
        id: eventId,
        // It was written as JSON already: its length counts.
        snapshot: sql`${snapshotJson}`,
        createdAt: now,
        databaseBytes: bytesOf(snapshotJson ?? '', deliveries.length),
      })
      .run()
    tx.insert(notifierDeliveries)
      .values(
        deliveries.map((delivery) => ({
          ...delivery,
          eventId,
          status: 'pending' as const,
          createdAt: now,
          nextAttemptAt: now,
        })),
      )
      .run()
  }

  return {
    jobEnded,
    /** The same for a schedule, in the transaction that pauses it. */
    schedulePaused(
      tx: Tx,
      { userId: ownerId, ...paused }: PausedSchedule & { userId: string },
      now: number,
    ): void {
      happened(tx, { userId: ownerId, type: 'schedule.paused', jobId: null, now }, () => paused)
    },
    /** Writes a `ping` and its only delivery, with this id. */
    pinged(tx: Tx, deliveryId: string, notifier: { id: string; userId: string }, now: number): void {
      const event = { userId: notifier.userId, type: 'ping', jobId: null, now } as const
      add(tx, event, null, [{ id: deliveryId, notifierId: notifier.id }])
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

interface HappenedEvent {
  readonly userId: string
  readonly type: MessageType
  /** Null for what is of no job. */
  readonly jobId: string | null
  readonly now: number
}
