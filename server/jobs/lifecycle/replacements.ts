import type { User } from '../../accounts/user.ts'
import type { Source } from '../../engine/job-order.ts'
import { type Issue, ServiceError } from '../../errors.ts'
import type { Logins } from '../../sites/logins.ts'
import type { Clock } from '../../time/clock.ts'
import { isDownloadable, jobNotFound, listedSettingsOf, type NewJob, type RetryOptions } from '../job.ts'
import type { JobQueries } from '../reading/query-store.ts'
import type { Bases } from './base-store.ts'
import type { SourceToInsert } from './creation-store.ts'

/** A new job that takes the place of a completed one, and its sources. */
export interface Replacement {
  readonly wanted: NewJob
  readonly sources: readonly SourceToInsert[]
}

/** New jobs with other URLs in place of those that got a warning. The rest is copied out of the archive of the completed job. */
export function openReplacements(
  queries: JobQueries,
  bases: Bases,
  logins: Pick<Logins, 'ofJob' | 'headersOf'>,
  clock: Clock,
) {
  return {
    /**
     * `INVALID_REQUEST` when the archive is no longer kept, or one of the positions has no warning.
     * @param nextTurn awaited between pieces of work that take about a millisecond
     */
    async plan(
      user: User,
      jobId: string,
      { replace, fromCheckpoint, skipFailed }: RetryOptions,
      nextTurn: () => Promise<void>,
    ): Promise<Replacement> {
      const found = queries.find(user.id, jobId)
      if (found === null) throw jobNotFound()
      const { job, settings, expiresInSeconds, hasDetails } = found
      if (!hasDetails || !isDownloadable(job, clock()))
        throw new ServiceError(
          'INVALID_REQUEST',
          'The archive of this job is no longer kept. Create a new job.',
        )
      await assertWarned(jobId, replace, nextTurn)
      const urls = new Map(replace.map(({ position, url }) => [position, url]))
      const sources: Source[] = []
      for (const source of queries.sourcesOf(job)) {
        sources.push({ ...source, url: urls.get(sources.length) ?? source.url })
        if (sources.length % TOGETHER === 0) await nextTurn()
      }
      const wanted: NewJob = {
        ...settings,
        ...listedSettingsOf(job),
        sources,
        zipBasename:
          job.zipFilename === `archive-${jobId}.zip` ? null : job.zipFilename.replace(/\.zip$/, ''),
        expiresInSeconds,
        failOnUrlError: job.failOnUrlError && !skipFailed,
        headers: logins.headersOf(jobId),
        usesSites: logins.ofJob(jobId).usesSites,
        replaces: jobId,
        base: fromCheckpoint ? { jobId, reuse: 'all', keepsGone: false } : null,
      }
      const withBase = await bases.sourcesToInsert(user, wanted, nextTurn)
      // Even if the new URL is the old one: it is to be fetched again.
      return {
        wanted,
        sources: withBase.map((source, position) =>
          urls.has(position) ? { ...source, basePosition: null } : source,
        ),
      }
    },
  }

  async function assertWarned(
    jobId: string,
    replace: RetryOptions['replace'],
    nextTurn: () => Promise<void>,
  ): Promise<void> {
    const issues: Issue[] = []
    const seen = new Set<number>()
    for (const [index, { position }] of replace.entries()) {
      if (index % TOGETHER === TOGETHER - 1) await nextTurn()
      const [entry] = queries.entriesAfter(jobId, position - 1, 1)
      const hasWarning = entry?.position === position && entry.warning !== null
      if (!hasWarning || seen.has(position))
        issues.push({
          path: `replace.${index}.position`,
          message: 'is not the position of a URL with a warning',
        })
      seen.add(position)
    }
    if (issues.length === 0) return
    throw new ServiceError(
      'INVALID_REQUEST',
      'Of a completed job, only URLs with a warning can be replaced, each once.',
      issues,
    )
  }
}

/** URLs that are read or looked up together. */
const TOGETHER = 64
