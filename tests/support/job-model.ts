import { expect } from 'bun:test'
import fc from 'fast-check'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openUsageStore } from '../../server/accounts/usage-store.ts'
import { openUserRemovalStore } from '../../server/admin/user-removal-store.ts'
import type { Database } from '../../server/db/open.ts'
import type { Claim } from '../../server/jobs/job.ts'
import { openCheckpointStore } from '../../server/jobs/lifecycle/checkpoint-store.ts'
import { openJobQueries } from '../../server/jobs/reading/query-store.ts'
import type { JobStatus } from '../../server/vocabulary.ts'
import { createShort, jobToCreate } from './job-to-create.ts'
import { openTransitions } from './open-transitions.ts'

/** The expected state of a job according to the table in `job.ts`. */
interface ModelJob {
  readonly id: string
  readonly createdAt: number
  readonly retentionMs: number
  status: JobStatus
  zipBytes: number
  expiresAt: number | null
  isSwept: boolean
  isCancelled: boolean
  claim: number
}

interface RetentionPeriod {
  readonly jobId: string
  readonly sizeBytes: number
  readonly from: number
  to: number
}

/** An action of an owner, a run, the clock or a crash. `pick` selects the job or run. */
export const anyAction = fc.record({
  what: fc.constantFrom(
    ...(['create', 'claim', 'commit', 'complete', 'fail', 'release'] as const),
    ...(['cancel', 'retry', 'restart', 'delete', 'expire', 'evict', 'advance', 'crash'] as const),
  ),
  pick: fc.nat(),
  bytes: fc.integer({ min: 1, max: 1e12 }),
})
type Action = typeof anyAction extends fc.Arbitrary<infer T> ? T : never

/** Applies actions both to the stores of a database, for a new user, and to a model of them, and compares the two. */
export function jobModel(db: Database, userName: string) {
  const accounts = openAccountStore(db)
  const usage = openUsageStore(db)
  const store = openJobQueries(db)
  const transitions = openTransitions(db)
  const checkpoints = openCheckpointStore(db)
  const userId = accounts.createUser(userName, 'pro', 0)?.id ?? ''
  const jobs: ModelJob[] = []
  const periods: RetentionPeriod[] = []
  const runs: Claim[] = []
  let now = Date.UTC(2026, 6, 1)

  const beginRetention = (job: ModelJob, sizeBytes: number) => {
    job.expiresAt = now + job.retentionMs
    if (sizeBytes > 0) periods.push({ jobId: job.id, sizeBytes, from: now, to: job.expiresAt })
  }
  const endRetention = (jobId: string) => {
    for (const period of periods) if (period.jobId === jobId) period.to = Math.min(period.to, now)
  }
  /** The job that a run may still write to; undefined if its claim is outdated. */
  const runningJob = (run: Claim) =>
    jobs.find(
      ({ id, claim, status }) => id === run.jobId && claim === run.claimNumber && status === 'processing',
    )
  const sweep = (job: ModelJob) => {
    job.isSwept = true
    if (job.status === 'failed') job.zipBytes = 0
  }

  function create({ pick }: Action): void {
    const id = Bun.randomUUIDv7()
    const retentionMs = 300_000 + (pick % 10) * 60_000
    const job = jobToCreate({ id, userId, expiresInSeconds: retentionMs / 1_000, createdAt: now })
    createShort(transitions, job, [{ url: 'http://x/', filename: null }])
    jobs.push({
      id,
      createdAt: now,
      retentionMs,
      status: 'pending',
      zipBytes: 0,
      expiresAt: null,
      isSwept: false,
      isCancelled: false,
      claim: 0,
    })
  }

  function claim(): void {
    const oldest = jobs
      .filter(({ status }) => status === 'pending')
      .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .at(0)
    const claimed = transitions.claimOldest(userId, Infinity)
    expect(claimed?.jobId).toBe(oldest?.id)
    if (claimed === null || oldest === undefined) return
    oldest.status = 'processing'
    oldest.claim += 1
    expect(claimed.claimNumber).toBe(oldest.claim)
    runs.push(claimed)
  }

  /** An action of a run, whose claim may be outdated. */
  function runDoes(run: Claim, { what, bytes }: Action): void {
    const job = runningJob(run)
    const mayWrite = job !== undefined
    if (what === 'commit') {
      expect(
        checkpoints.commit(
          run,
          [],
          { fileCount: 1, zipBytes: bytes, reusedCount: 0, warningCount: 0 },
          false,
        ),
      ).toBe(mayWrite)
      if (job !== undefined) job.zipBytes = bytes
    } else if (what === 'complete') {
      expect(transitions.complete(run, { fileCount: 0, zipBytes: bytes, changed: [] }, now)).toBe(mayWrite)
      if (job !== undefined) {
        Object.assign(job, { status: 'completed', zipBytes: bytes })
        beginRetention(job, bytes)
      }
    } else if (what === 'fail') {
      expect(transitions.fail(run, { code: 'URL_FAILED', message: 'x' }, bytes, now)).toBe(mayWrite)
      if (job !== undefined) {
        Object.assign(job, { status: 'failed', zipBytes: bytes })
        beginRetention(job, job.zipBytes)
      }
    } else {
      transitions.release(run, bytes)
      if (job !== undefined) Object.assign(job, { status: 'pending', zipBytes: bytes })
    }
  }

  function ownerDoes(job: ModelJob, { what }: Action): void {
    if (what === 'cancel') {
      const isOpen = job.status === 'pending' || job.status === 'processing'
      expect(transitions.cancel(userId, job.id, now)).toBe(isOpen)
      if (!isOpen) return
      Object.assign(job, { status: 'failed', isCancelled: true })
      beginRetention(job, job.zipBytes)
    } else if (what === 'delete') {
      expect(transitions.delete(userId, job.id, now)).toBe(true)
      jobs.splice(jobs.indexOf(job), 1)
      endRetention(job.id)
    } else {
      const options = { fromCheckpoint: what === 'retry', skipFailed: false, replace: [] }
      const retried = transitions.retry(userId, job.id, now, options)
      if (job.status !== 'failed') {
        expect(retried).toBeNull()
        return
      }
      const hasExpired = job.isSwept || (job.expiresAt !== null && job.expiresAt <= now)
      expect(retried).toEqual({ fromScratch: what === 'restart' || hasExpired })
      if (retried?.fromScratch) job.zipBytes = 0
      Object.assign(job, { status: 'pending', expiresAt: null, isSwept: false, isCancelled: false })
      endRetention(job.id)
    }
  }

  function serviceDoes({ what, bytes }: Action): void {
    if (what === 'advance') {
      now += bytes % 200_000
    } else if (what === 'crash') {
      for (const jobId of store.running()) transitions.releaseAbandoned(jobId, bytes)
      runs.length = 0
      for (const job of jobs) {
        if (job.status === 'processing') Object.assign(job, { status: 'pending', zipBytes: bytes })
      }
    } else if (what === 'expire') {
      const due = jobs.filter((job) => !job.isSwept && job.expiresAt !== null && job.expiresAt <= now)
      expect(
        transitions
          .expire(now)
          .map(({ jobId }) => jobId)
          .toSorted(),
      ).toEqual(due.map(({ id }) => id).toSorted())
      due.forEach(sweep)
    } else {
      const evictable = jobs.filter((job) => job.status === 'failed' && !job.isSwept && job.zipBytes > 0)
      const evictedId = transitions.evictCheckpoint(now)?.jobId
      const evicted = jobs.find(({ id }) => id === evictedId)
      expect(evicted?.expiresAt ?? null).toBe(
        evictable.length === 0 ? null : Math.min(...evictable.map(({ expiresAt }) => expiresAt ?? 0)),
      )
      if (evicted === undefined) return
      sweep(evicted)
      endRetention(evicted.id)
    }
  }

  return {
    apply(action: Action): void {
      const { what, pick } = action
      if (what === 'create') create(action)
      else if (what === 'claim') claim()
      else if (['commit', 'complete', 'fail', 'release'].includes(what)) {
        const run = runs[pick % Math.max(1, runs.length)]
        if (run !== undefined) runDoes(run, action)
      } else if (['cancel', 'retry', 'restart', 'delete'].includes(what)) {
        const job = jobs[pick % Math.max(1, jobs.length)]
        if (job !== undefined) ownerDoes(job, action)
      } else serviceDoes(action)
    },
    /** Compares list, counts and quota with the model. */
    check(): void {
      const newestFirst = jobs.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      const expected = newestFirst.map(({ id, status, zipBytes, expiresAt }) => ({
        id,
        status,
        zipBytes,
        expiresAt,
      }))
      const listed = store.page(userId, null, null, 1_000)
      expect(
        listed.map(({ id, status, zipBytes, expiresAt }) => ({ id, status, zipBytes, expiresAt })),
      ).toEqual(expected)
      for (const job of listed) {
        expect(job.failure !== null).toBe(job.status === 'failed')
        expect(job.completedAt !== null).toBe(job.status === 'completed')
      }
      const { cancelled, ...counts } = store.counts(userId)
      expect(cancelled).toBe(jobs.filter(({ isCancelled }) => isCancelled).length)
      for (const [status, total] of Object.entries(counts)) {
        expect([status, total]).toEqual([status, jobs.filter((job) => job.status === status).length])
      }
      let byteMs = 0n
      for (const { sizeBytes, from, to } of periods) {
        byteMs += BigInt(sizeBytes) * BigInt(Math.max(0, Math.min(to, now) - from))
      }
      expect(usage.storedByteMs(userId, 0, now)).toBe(byteMs)
    },
    close: () => openUserRemovalStore(db).deleteUser(userId),
  }
}
