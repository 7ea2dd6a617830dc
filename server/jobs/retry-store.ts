import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { entries, jobs, sources } from '../db/schema.ts'
import { type Issue, ServiceError } from '../errors.ts'
import { writeDiscard } from './discard-store.ts'
import { endStays } from './stay-store.ts'
import { openUnfinishedLimit } from './unfinished-store.ts'

/** How a failed job is to go on. */
export interface RetryOptions {
  /** False forgets what was fetched before. */
  readonly fromCheckpoint: boolean
  /** Go on without the URLs that failed, as if the job tolerated them. */
  readonly skipFailed: boolean
  /** New URLs for failed ones. */
  readonly replace: readonly { readonly position: number; readonly url: string }[]
}

export type RetryStore = ReturnType<typeof openRetryStore>

export function openRetryStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const position = sql.placeholder('position')
  const failedAt = and(eq(entries.jobId, id), eq(entries.position, position), eq(entries.status, 'failed'))

  const assertUnfinishedWithinLimit = openUnfinishedLimit(db)

  const reopen = orm
    .update(jobs)
    .set({
      status: 'pending',
      skipFailed: sql`${sql.placeholder('skipFailed')}`,
      failureCode: null,
      failureMessage: null,
      expiresAt: null,
      sweptAt: null,
      crashes: 0,
    })
    .where(
      and(
        eq(jobs.id, id),
        eq(jobs.userId, sql.placeholder('userId')),
        eq(jobs.status, 'failed'),
        eq(jobs.details, 'kept'),
      ),
    )
    .returning({ id: jobs.id })
    .prepare()
  const lapse = orm
    .select({ expiresAt: jobs.expiresAt, sweptAt: jobs.sweptAt })
    .from(jobs)
    .where(eq(jobs.id, id))
    .prepare()
  const setUrl = orm
    .update(sources)
    .set({ url: sql`${sql.placeholder('url')}` })
    .where(and(eq(sources.jobId, id), eq(sources.position, position)))
    .prepare()
  const forgetFailedAt = orm
    .delete(entries)
    .where(failedAt)
    .returning({ position: entries.position })
    .prepare()
  const forgetFailed = orm
    .delete(entries)
    .where(and(eq(entries.jobId, id), eq(entries.status, 'failed')))
    .prepare()

  return {
    /**
     * failed -> pending. Says whether the job begins from scratch, so that its bytes are to go, or null when it
     * was not failed or its URLs are no longer kept. Throws, changing nothing, `INVALID_REQUEST` when a URL to replace had
     * not failed, and `PLAN_LIMIT_EXCEEDED` when the user has too many jobs that have not ended.
     */
    retry(
      userId: string,
      jobId: string,
      now: number,
      options: RetryOptions,
    ): { fromScratch: boolean } | null {
      return db.durably(() => {
        const before = lapse.get({ id: jobId })
        if (reopen.get({ id: jobId, userId, skipFailed: Number(options.skipFailed) }) === undefined)
          return null
        assertUnfinishedWithinLimit(userId)
        replaceUrls(jobId, options.replace)
        if (!options.skipFailed) forgetFailed.run({ id: jobId })
        endStays(db, jobId, now)
        const lapsed = before?.sweptAt != null || (before?.expiresAt != null && before.expiresAt <= now)
        const fromScratch = !options.fromCheckpoint || lapsed
        if (fromScratch) {
          forgetCheckpoint(db, jobId, options.skipFailed)
          writeDiscard(db, jobId)
        }
        return { fromScratch }
      })
    },
  }

  function replaceUrls(jobId: string, replacements: RetryOptions['replace']): void {
    const issues: Issue[] = []
    replacements.forEach((replacement, index) => {
      const hadFailed = forgetFailedAt.get({ id: jobId, position: replacement.position }) !== undefined
      if (hadFailed) setUrl.run({ id: jobId, position: replacement.position, url: replacement.url })
      else issues.push({ path: `replace.${index}.position`, message: 'is not the position of a failed URL' })
    })
    if (issues.length > 0) {
      throw new ServiceError('INVALID_REQUEST', 'Only URLs that failed can be replaced, each once.', issues)
    }
  }
}

/** Forgets all that a job had fetched, and what had failed unless `keepFailed`. Runs inside a transaction. */
export function forgetCheckpoint(db: Database, jobId: string, keepFailed: boolean): void {
  const ofJob = eq(entries.jobId, jobId)
  const forgotten = keepFailed ? and(ofJob, sql`${entries.status} <> 'failed'`) : ofJob
  db.orm.delete(entries).where(forgotten).run()
  db.orm
    .update(jobs)
    .set({
      fileCount: 0,
      zipBytes: 0,
      slideFrom: null,
      slideTo: null,
      slideBy: null,
      slideMovedBytes: null,
      slideParkedAt: null,
      slideParkedBytes: null,
    })
    .where(eq(jobs.id, jobId))
    .run()
}
