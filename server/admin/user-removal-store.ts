import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { notifierEvents, notifiers } from '../db/notifier-schema.ts'
import type { Database, Tx } from '../db/open.ts'
import { schedules } from '../db/schedule-schema.ts'
import { apiKeys, jobs, retentionPeriods, signInLinks, users } from '../db/schema.ts'
import { MAX_DELETED_BYTES, withinBytes } from '../db/within-bytes.ts'
import { openDetailsDeletion } from '../jobs/deletion/deletion-store.ts'

/** Deletes the rows of a user in batches, so that a running service need not wait long. */
export type UserRemovalStore = ReturnType<typeof openUserRemovalStore>

/** Rows that one transaction deletes, in some milliseconds. */
const MAX_DELETED_ROWS = 500
/** Each event has at most one delivery per notifier of its user. */
const MAX_DELETED_EVENTS = 25

export function openUserRemovalStore(db: Database) {
  const { orm } = db
  const userId = sql.placeholder('userId')
  const details = openDetailsDeletion(db)

  const unfinished = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.userId, userId), inArray(jobs.status, ['pending', 'processing'])))
    .prepare()
  const nextJobs = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(eq(jobs.userId, userId))
    .orderBy(asc(jobs.createdAt), asc(jobs.id))
    .limit(MAX_DELETED_ROWS)
    .prepare()
  // Runs once per job, of which there are hundreds in a transaction: 6 µs when it is prepared, 90 when it is built.
  const deleteJob = db.prepareWrite<null, { jobId: string }>('DELETE FROM jobs WHERE id = $jobId')

  return {
    /** Deletes some of the user's keys, and all sign-in links; false when none are left. */
    deleteSomeKeys(id: string): boolean {
      return db.transaction((tx) => {
        tx.delete(signInLinks).where(eq(signInLinks.userId, id)).run()
        return deleteSome(tx, apiKeys, id, MAX_DELETED_ROWS)
      })
    },
    /** Deletes one of the user's schedules; false when none are left. */
    deleteSchedule(id: string): boolean {
      return db.freeing((tx) => {
        const one = tx.select({ id: schedules.id }).from(schedules).where(eq(schedules.userId, id)).limit(1)
        const deleted = tx.delete(schedules).where(inArray(schedules.id, one)).returning({ id: schedules.id })
        return deleted.get() !== undefined
      })
    },
    /** Deletes some of the user's notifier deliveries, and the notifiers with the last of them; false when none are left. */
    deleteSomeDeliveries(id: string): boolean {
      return db.freeing((tx) => {
        const next = tx
          .select({ id: notifierEvents.id, bytes: notifierEvents.databaseBytes })
          .from(notifierEvents)
          .where(eq(notifierEvents.userId, id))
          .limit(MAX_DELETED_EVENTS)
          .all()
        const batch = withinBytes(next, MAX_DELETED_BYTES).map((event) => event.id)
        tx.delete(notifierEvents).where(inArray(notifierEvents.id, batch)).run()
        if (batch.length < next.length || next.length === MAX_DELETED_EVENTS) return true
        tx.delete(notifiers).where(eq(notifiers.userId, id)).run()
        return false
      })
    },
    /** The user's pending and processing jobs. They must be cancelled before their rows are deleted. */
    unfinished(id: string): string[] {
      return unfinished.all({ userId: id }).map((job) => job.id)
    },
    /** Deletes some rows of the user's jobs. Returns the jobs that were deleted completely, or null when none were left. */
    deleteSomeJobs(id: string): string[] | null {
      return db.freeing((tx) => {
        const found = nextJobs.all({ userId: id })
        if (found.length === 0) return null
        const deleted: string[] = []
        let rows = 0
        for (const job of found) {
          const left = MAX_DELETED_ROWS - rows
          const sourceCount = details.deleteSome(tx, job.id, left)
          if (sourceCount === left) return deleted
          deleteJob.run(tx, { jobId: job.id })
          deleted.push(job.id)
          rows += sourceCount + 1
          if (rows >= MAX_DELETED_ROWS) return deleted
        }
        return deleted
      })
    },
    /** Deletes some of the user's retention periods; false when none are left. */
    deleteSomeRetentionPeriods(id: string): boolean {
      return db.transaction((tx) => deleteSome(tx, retentionPeriods, id, MAX_DELETED_ROWS))
    },
    /** Deletes the user. Call it last. */
    deleteUser(id: string): void {
      db.durably((tx) => tx.delete(users).where(eq(users.id, id)).run())
    },
  }
}

/** Deletes the first of the user's rows in a table; false when none are left. */
function deleteSome(
  tx: Tx,
  table: typeof apiKeys | typeof retentionPeriods,
  userId: string,
  limit: number,
): boolean {
  const some = tx.select({ id: table.id }).from(table).where(eq(table.userId, userId)).limit(limit)
  return tx.delete(table).where(inArray(table.id, some)).returning({ id: table.id }).all().length === limit
}
