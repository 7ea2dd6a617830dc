import { defaultRetentionSeconds, type Plans } from '../accounts/plan.ts'
import type { UsageMeter } from '../accounts/usage.ts'
import type { User } from '../accounts/user.ts'
import type { Database, Tx } from '../db/open.ts'
import { ServiceError } from '../errors.ts'
import { decodeCursor, type PageRequest, pageOf } from '../paging.ts'
import type { Logins } from '../sites/logins.ts'
import type { Clock } from '../time/clock.ts'
import {
  type Job,
  type JobCounts,
  type JobDetail,
  type JobEdit,
  type JobFilter,
  jobNotFound,
  listOfJobs,
  type NewJob,
  type RetryOptions,
  totalOf,
} from './job.ts'
import type { Bases } from './lifecycle/base-store.ts'
import type { SourceToInsert } from './lifecycle/creation-store.ts'
import { editJob } from './lifecycle/edit-store.ts'
import { openReplacements } from './lifecycle/replacements.ts'
import type { ShareLinks } from './lifecycle/share-link-store.ts'
import type { TransitionStore } from './lifecycle/transition-store.ts'
import { assertRetentionWithinPlan, assertWithinPlan } from './limits.ts'
import type { LiveProgress } from './progress.ts'
import type { JobQueries } from './reading/query-store.ts'
import type { SampledFile } from './reading/sample-store.ts'
import { type JobSearch, searchJobs } from './reading/search.ts'

/** What the operations on jobs need from the scheduler. */
export interface RunControl {
  /** Claims pending jobs soon. */
  wake(): void
  /** Stops the run of a job, if there is one, and resolves when it no longer writes to its files. */
  halt(jobId: string): Promise<void>
  /**
   * Stops the run of a job, keeps what it has fetched, and then fails the job with `CANCELLED`. False when there is no run,
   * or when the job ended in another way before.
   */
  cancel(jobId: string): Promise<boolean>
}

export interface JobsOptions {
  readonly db: Database
  readonly queries: JobQueries
  readonly bases: Bases
  readonly links: ShareLinks
  readonly transitions: TransitionStore
  readonly live: LiveProgress
  readonly runs: RunControl
  readonly usage: UsageMeter
  readonly logins: Pick<Logins, 'seal' | 'ofJob' | 'headersOf'>
  readonly plans: Plans
  readonly clock: Clock
  /** Throws `UNAVAILABLE` when a disk has no space for another job. */
  assertRoom(): void
  /** Deletes the files of a job. */
  deleteFiles(jobId: string): Promise<void>
  /** Deletes what the database still has of a job that does not exist. */
  deleteDetails(jobId: string): Promise<void>
}

export interface JobQuery extends PageRequest {
  readonly filter: JobFilter | null
}

export interface JobPage {
  readonly jobs: readonly Job[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

/** The schedule that a new job is a run of. */
export interface RunToCreate {
  readonly scheduleId: string
  /** Called in the transaction that creates the job, so that no crash loses the run or repeats it. */
  record(tx: Tx, jobId: string, createdAt: number): void
}

export type Jobs = ReturnType<typeof openJobs>

/** The operations of a user on jobs. Jobs of other users are `NOT_FOUND`, as if they did not exist. */
export function openJobs(options: JobsOptions) {
  const { db, queries, bases, links, transitions, live, runs, clock } = options
  const replacements = openReplacements(queries, bases, options.logins, clock)

  function found(user: User, jobId: string) {
    const job = queries.find(user.id, jobId)
    if (job === null) throw jobNotFound()
    return job
  }

  /** Checks `PLAN_LIMIT_EXCEEDED` before `QUOTA_EXCEEDED`. */
  async function create(
    user: User,
    wanted: NewJob,
    sources: readonly SourceToInsert[],
    nextTurn: () => Promise<void>,
    run: RunToCreate | null = null,
  ): Promise<string> {
    const plan = options.plans[user.plan]
    const linkId = wanted.replaces === null ? null : found(user, wanted.replaces).job.linkId
    const expiresInSeconds = wanted.expiresInSeconds ?? defaultRetentionSeconds(plan)
    assertWithinPlan(plan, wanted.sources.length, expiresInSeconds)
    function assertAllowed(): void {
      options.usage.assertRowsWithinLimit(user)
      options.usage.assertWithinQuota(user, plan)
      options.assertRoom()
    }
    assertAllowed()

    // UUIDs of version 7 sort in the order of their creation, even within a millisecond.
    const id = Bun.randomUUIDv7()
    const { sources: _, zipBasename, headers, usesSites, replaces, ...settings } = wanted
    const zipFilename = `${zipBasename ?? `archive-${id}`}.zip`
    const logins = options.logins.seal(id, headers, usesSites)
    const link = { linkId: linkId ?? id, holdsLink: linkId === null }
    const createdAt = clock()
    const scheduleId = run?.scheduleId ?? null
    const own = { id, userId: user.id, scheduleId, zipFilename, expiresInSeconds, logins, createdAt }
    const alongside = (tx: Tx) => run?.record(tx, id, createdAt)
    try {
      await transitions.create({ ...settings, ...own, ...link }, sources, {
        nextTurn,
        assertAllowed,
        alongside,
      })
    } catch (error) {
      await options.deleteDetails(id)
      throw error
    }
    live.changed({ jobId: id, userId: user.id })
    runs.wake()
    return id
  }

  return {
    /**
     * Creates a pending job and returns its id. Checks the base before `PLAN_LIMIT_EXCEEDED`, and that before `QUOTA_EXCEEDED`.
     * @param nextTurn is awaited between pieces of work that take some milliseconds
     */
    async create(user: User, wanted: NewJob, nextTurn: () => Promise<void>): Promise<string> {
      return await create(user, wanted, await bases.sourcesToInsert(user, wanted, nextTurn), nextTurn)
    },

    /** The same for a run of a schedule. Its archive stays until the schedule has enough newer ones. */
    async createRun(
      user: User,
      wanted: NewJob,
      run: RunToCreate,
      nextTurn: () => Promise<void>,
    ): Promise<string> {
      return await create(user, wanted, await bases.sourcesToInsert(user, wanted, nextTurn), nextTurn, run)
    },

    /** A page of the user's jobs, newest first. */
    list(user: User, query: JobQuery): JobPage {
      const list = listOfJobs(user.id)
      const after = query.cursor === null ? null : decodeCursor(list, query.cursor)
      const rows = queries.page(user.id, query.filter, after, query.limit + 1)
      const { items, nextCursor } = pageOf(list, rows, query.limit)
      const total = totalOf(queries.counts(user.id), query.filter)
      return { jobs: items.map(withLiveCounts), total, nextCursor }
    },

    /** A page of the jobs that contain a text, as {@link searchJobs} finds them. `total` counts all that the filter lets through. */
    async search(user: User, query: JobSearch, nextTurn: () => Promise<void>): Promise<JobPage> {
      const { jobs, nextCursor } = await searchJobs(queries, user.id, query, nextTurn)
      return {
        jobs: jobs.map(withLiveCounts),
        total: totalOf(queries.counts(user.id), query.filter),
        nextCursor,
      }
    },

    /** Up to `count` files of a job from a list. */
    sample: ({ id, urlCount }: Job, count: number): SampledFile[] => queries.sampleOf(id, urlCount, count),

    get(user: User, jobId: string): JobDetail {
      const { job, settings, hasDetails } = found(user, jobId)
      return {
        ...withLiveCounts(job),
        ...settings,
        ...options.logins.ofJob(jobId),
        versions: links.versionsOf(job),
        sources: hasDetails ? { [Symbol.iterator]: () => queries.sourcesOf(job) } : [],
        errors: hasDetails ? { [Symbol.iterator]: () => queries.errorsOf(jobId) } : [],
      }
    },

    /** A job as lists show it; null when the user does not have it, or no longer has it. */
    summary(user: User, jobId: string): Job | null {
      const found = queries.find(user.id, jobId)
      return found === null ? null : withLiveCounts(found.job)
    },

    stats(user: User): JobCounts {
      return queries.counts(user.id)
    },

    /**
     * Renames the ZIP of a job, and keeps its archive or checkpoint longer or shorter. `INVALID_REQUEST` when it has expired,
     * `QUOTA_EXCEEDED` when it is to be kept longer and the user has used up the quota.
     */
    change(user: User, jobId: string, wanted: JobEdit): void {
      const before = found(user, jobId)
      const now = clock()
      if (wanted.expiresInSeconds !== null) {
        const plan = options.plans[user.plan]
        assertRetentionWithinPlan(plan, wanted.expiresInSeconds)
        if (isLonger(before, wanted.expiresInSeconds, now)) options.usage.assertWithinQuota(user, plan)
      }
      const job = { userId: user.id, jobId }
      if (!db.durably((tx) => editJob(tx, job, wanted, now))) {
        found(user, jobId)
        throw new ServiceError('INVALID_REQUEST', 'This job has expired. Create a new job.')
      }
      live.changed(job)
    },

    /**
     * Makes a failed job pending again. For URLs of a completed job that are to be replaced, it creates a new job instead.
     * `INVALID_REQUEST` in any other status. `PLAN_LIMIT_EXCEEDED` and `QUOTA_EXCEEDED` as for a new job.
     * @param nextTurn is awaited between pieces of work that take some milliseconds
     * @returns the id of the job that will run
     */
    async retry(
      user: User,
      jobId: string,
      retry: RetryOptions,
      nextTurn: () => Promise<void>,
    ): Promise<string> {
      const before = found(user, jobId)
      if (before.job.status === 'completed' && retry.replace.length > 0) {
        const { wanted, sources } = await replacements.plan(user, jobId, retry, nextTurn)
        return await create(user, wanted, sources, nextTurn)
      }
      if (before.job.status === 'failed' && before.hasDetails) {
        options.usage.assertRowsWithinLimit(user)
        options.usage.assertWithinQuota(user, options.plans[user.plan])
        await transitions.replaceLong({ jobId, userId: user.id }, retry.replace, nextTurn)
      }
      const retried = transitions.retry(user.id, jobId, clock(), retry)
      if (retried === null) {
        const { job, hasDetails } = found(user, jobId)
        throw new ServiceError(
          'INVALID_REQUEST',
          hasDetails
            ? `Only a failed job can be retried; this one is ${job.status}.`
            : 'The URLs of this job are no longer kept. Create a new job.',
        )
      }
      const deleted = retried.fromScratch ? options.deleteFiles(jobId) : null
      live.changed({ jobId, userId: user.id })
      runs.wake()
      await deleted
      return jobId
    },

    /**
     * Fails a pending or running job with `CANCELLED`. `INVALID_REQUEST` when it has ended, or ends before its run stops.
     */
    async cancel(user: User, jobId: string): Promise<void> {
      const { job } = found(user, jobId)
      // Without an `await` for a pending job, so that the scheduler can't claim it before it is cancelled.
      if (job.status === 'processing' && (await runs.cancel(jobId))) return
      if (!transitions.cancel(user.id, jobId, clock())) {
        const { job } = found(user, jobId)
        throw new ServiceError(
          'INVALID_REQUEST',
          `Only a job that has not ended can be cancelled; this one is ${job.status}.`,
        )
      }
      live.changed({ jobId, userId: user.id })
    },

    /** Deletes the job and its files. */
    async remove(user: User, jobId: string): Promise<void> {
      if (!transitions.delete(user.id, jobId, clock())) throw jobNotFound()
      live.changed({ jobId, userId: user.id })
      await runs.halt(jobId)
      await options.deleteFiles(jobId)
      await options.deleteDetails(jobId)
    },
  }

  function withLiveCounts<T extends Job>(job: T): T {
    return job.status === 'processing' ? { ...job, ...live.counts(job.id) } : job
  }
}

/** Whether this would keep a job longer than it is kept now. False for one that has expired, which nothing keeps. */
function isLonger(
  { job, expiresInSeconds }: { job: Job; expiresInSeconds: number },
  wantedSeconds: number,
  now: number,
): boolean {
  if (job.expiresAt === null) return wantedSeconds > expiresInSeconds
  return job.expiresAt > now && now + wantedSeconds * 1000 > job.expiresAt
}
