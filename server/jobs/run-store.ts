import { and, asc, eq, exists, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { entries, jobs, users } from '../db/schema.ts'
import type { CompletedArchive, JobFailure } from '../engine/job-order.ts'
import { beginStay } from './stay-store.ts'

/** A run's right to write to its job: it ends when the job is claimed again. */
export interface Claim {
  readonly jobId: string
  readonly userId: string
  readonly number: number
  readonly createdAt: number
  /** Runs before this one that died and got nowhere. */
  readonly crashes: number
}

/** What a job that has ended takes of the quota: its archive, or its checkpoint. */
const STORED = { jobId: jobs.id, userId: jobs.userId, sizeBytes: jobs.zipBytes, expiresAt: jobs.expiresAt }

/** The transitions that the service itself makes. */
export type RunStore = ReturnType<typeof openRunStore>

export function openRunStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const now = sql.placeholder('now')
  const position = sql.placeholder('position')
  const fileCount = sql`${sql.placeholder('fileCount')}`
  const zipBytes = sql`${sql.placeholder('zipBytes')}`
  const ofClaim = and(eq(jobs.id, id), eq(jobs.claim, sql.placeholder('claim')))
  const processing = and(ofClaim, eq(jobs.status, 'processing'))
  const expiry = sql`${now} + ${jobs.expiresInSeconds} * 1000`

  const usersWithPending = orm
    .select({ id: users.id })
    .from(users)
    .where(
      exists(
        orm
          .select({ one: sql`1` })
          .from(jobs)
          .where(and(eq(jobs.userId, users.id), eq(jobs.status, 'pending'))),
      ),
    )
    .orderBy(asc(users.id))
    .prepare()
  const oldestPending = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.userId, sql.placeholder('userId')), eq(jobs.status, 'pending')))
    .orderBy(asc(jobs.createdAt), asc(jobs.id))
    .limit(1)
  const claim = orm
    .update(jobs)
    .set({ status: 'processing', claim: sql`${jobs.claim} + 1` })
    .where(and(eq(jobs.id, sql`(${oldestPending})`), eq(jobs.status, 'pending')))
    .returning({
      jobId: jobs.id,
      userId: jobs.userId,
      number: jobs.claim,
      crashes: jobs.crashes,
      createdAt: jobs.createdAt,
    })
    .prepare()
  const crash = orm
    .update(jobs)
    .set({ crashes: sql`${jobs.crashes} + 1` })
    .where(processing)
    .returning({ crashes: jobs.crashes })
    .prepare()
  const heldBytes = sql`${sql.placeholder('heldBytes')}`
  const release = orm.update(jobs).set({ status: 'pending', zipBytes: heldBytes }).where(processing).prepare()
  const left = orm.select({ id: jobs.id }).from(jobs).where(eq(jobs.status, 'processing')).prepare()
  const releaseLeft = orm
    .update(jobs)
    .set({ status: 'pending', zipBytes: heldBytes, crashes: sql`${jobs.crashes} + 1` })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing')))
    .prepare()
  const fail = orm
    .update(jobs)
    .set({
      status: 'failed',
      failureCode: sql`${sql.placeholder('code')}`,
      failureMessage: sql`${sql.placeholder('message')}`,
      zipBytes: heldBytes,
      expiresAt: expiry,
    })
    .where(processing)
    .returning(STORED)
    .prepare()
  const complete = orm
    .update(jobs)
    .set({ status: 'completed', completedAt: sql`${now}`, expiresAt: expiry, fileCount, zipBytes })
    .where(processing)
    .returning(STORED)
    .prepare()
  const setName = orm
    .update(entries)
    .set({ name: sql`${sql.placeholder('name')}` })
    .where(and(eq(entries.jobId, id), eq(entries.position, position)))
    .prepare()

  return {
    /** Jobs that whoever ran them has left `processing`. */
    left(): string[] {
      return left.all().map((job) => job.id)
    },
    /** processing -> pending: whoever ran it is dead, perhaps by this very job. */
    releaseLeft(jobId: string, bytes: number): void {
      db.durably(() => releaseLeft.run({ id: jobId, heldBytes: bytes }))
    },
    /** The run died; gives how many have in a row, none of which got anywhere. */
    crashed(run: Claim): number {
      return db.durably(() => crash.get({ id: run.jobId, claim: run.number }))?.crashes ?? 0
    },
    /** Who has a job waiting. */
    usersWithPending(): string[] {
      return usersWithPending.all().map((user) => user.id)
    },
    /** pending -> processing: the user's oldest, or null when none is left. */
    claimOldest(userId: string): Claim | null {
      return db.transaction(() => claim.get({ userId })) ?? null
    },
    /** processing -> completed; false when the job was deleted meanwhile. */
    complete(run: Claim, { fileCount, zipBytes, numbered }: CompletedArchive, at: number): boolean {
      return db.durably(() => {
        const job = complete.get({ id: run.jobId, claim: run.number, now: at, fileCount, zipBytes })
        if (job === undefined || job.expiresAt === null) return false
        for (const name of numbered) setName.run({ id: run.jobId, ...name })
        beginStay(db, { ...job, storedAt: at, removedAt: job.expiresAt })
        return true
      })
    },
    /**
     * processing -> failed, with the bytes that the job still holds on the disk; false when it was deleted meanwhile.
     */
    fail(run: Claim, failure: JobFailure, bytes: number, at: number): boolean {
      return db.durably(() => {
        const job = fail.get({ id: run.jobId, claim: run.number, now: at, heldBytes: bytes, ...failure })
        if (job === undefined || job.expiresAt === null) return false
        beginStay(db, { ...job, storedAt: at, removedAt: job.expiresAt })
        return true
      })
    },
    /** processing -> pending, to go on from the checkpoint when the service does. */
    release(run: Claim, bytes: number): void {
      db.durably(() => release.run({ id: run.jobId, claim: run.number, heldBytes: bytes }))
    },
  }
}
