import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { apiKeys, jobs, retentionPeriods, signInLinks, users } from '../db/schema.ts'
import { webhookEvents, webhooks } from '../db/webhook-schema.ts'
import { openDetailsDeletion } from './details-deletion-store.ts'

/** Deletes the rows of a user in batches, so that a running service need not wait long. */
export type UserRemovalStore = ReturnType<typeof openUserRemovalStore>

/** Rows that one transaction deletes, in some milliseconds. */
const MAX_DELETED_ROWS = 500
/** Each event has at most one delivery per webhook of its user. */
const MAX_DELETED_EVENTS = 25

export function openUserRemovalStore(db: Database) {
  const { orm } = db
  const userId = sql.placeholder('userId')
  const jobId = sql.placeholder('jobId')
  const details = openDetailsDeletion(db)

  const unfinished = prepareLater(() =>
    orm
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.userId, userId), inArray(jobs.status, ['pending', 'processing'])))
      .prepare(),
  )
  const nextJobs = prepareLater(() =>
    orm
      .select({ id: jobs.id })
      .from(jobs)
      .where(eq(jobs.userId, userId))
      .orderBy(asc(jobs.createdAt), asc(jobs.id))
      .limit(MAX_DELETED_ROWS)
      .prepare(),
  )
  const deleteJob = prepareLater(() => orm.delete(jobs).where(eq(jobs.id, jobId)).prepare())
  const deleteSome = (
    table: typeof apiKeys | typeof retentionPeriods | typeof webhookEvents,
    limit = MAX_DELETED_ROWS,
  ) => {
    const some = orm.select({ id: table.id }).from(table).where(eq(table.userId, userId)).limit(limit)
    return prepareLater(() =>
      orm.delete(table).where(inArray(table.id, some)).returning({ id: table.id }).prepare(),
    )
  }
  const deleteKeys = deleteSome(apiKeys)
  const deleteRetentionPeriods = deleteSome(retentionPeriods)
  const deleteEvents = deleteSome(webhookEvents, MAX_DELETED_EVENTS)

  return {
    /** Deletes some of the user's keys, and all sign-in links; false when none are left. */
    deleteSomeKeys(id: string): boolean {
      return db.transaction(() => {
        orm.delete(signInLinks).where(eq(signInLinks.userId, id)).run()
        return deleteKeys.all({ userId: id }).length === MAX_DELETED_ROWS
      })
    },
    /** Deletes some of the user's webhook deliveries, and the webhooks with the last of them; false when none are left. */
    deleteSomeDeliveries(id: string): boolean {
      return db.transaction(() => {
        if (deleteEvents.all({ userId: id }).length === MAX_DELETED_EVENTS) return true
        orm.delete(webhooks).where(eq(webhooks.userId, id)).run()
        return false
      })
    },
    /** The user's pending and processing jobs. They must be cancelled before their rows are deleted. */
    unfinished(id: string): string[] {
      return unfinished.all({ userId: id }).map((job) => job.id)
    },
    /** Deletes some rows of the user's jobs. Returns the jobs that were deleted completely, or null when none were left. */
    deleteSomeJobs(id: string): string[] | null {
      return db.transaction(() => {
        const found = nextJobs.all({ userId: id })
        if (found.length === 0) return null
        const deleted: string[] = []
        let rows = 0
        for (const job of found) {
          const left = MAX_DELETED_ROWS - rows
          const sourceCount = details.deleteSome(job.id, left)
          if (sourceCount === left) return deleted
          deleteJob.run({ jobId: job.id })
          deleted.push(job.id)
          rows += sourceCount + 1
          if (rows >= MAX_DELETED_ROWS) return deleted
        }
        return deleted
      })
    },
    /** Deletes some of the user's retention periods; false when none are left. */
    deleteSomeRetentionPeriods(id: string): boolean {
      return db.transaction(() => deleteRetentionPeriods.all({ userId: id }).length === MAX_DELETED_ROWS)
    },
    /** Deletes the user. Call it last. */
    deleteUser(id: string): void {
      db.durably(() => orm.delete(users).where(eq(users.id, id)).run())
    },
  }
}
