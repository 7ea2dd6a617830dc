import { and, eq, sql } from 'drizzle-orm'
import type { Database, Tx } from '../../db/open.ts'
import { detailDeletions, entries, jobs } from '../../db/schema.ts'
import type { Source } from '../../engine/job-order.ts'
import { type Issue, ServiceError } from '../../errors.ts'
import { insertJobLogins, type JobLogins } from '../../sites/job-login-store.ts'
import { openJobByteCount } from '../database-bytes-store.ts'
import type { NewJob, OwnedJob, RetryOptions } from '../job.ts'

/** The settings of a job that is about to be created. */
export interface JobToCreate
  extends Omit<
    NewJob,
    'sources' | 'zipBasename' | 'expiresInSeconds' | 'headers' | 'usesSites' | 'replaces'
  > {
  readonly id: string
  readonly userId: string
  readonly linkId: string
  readonly holdsLink: boolean
  readonly zipFilename: string
  readonly expiresInSeconds: number
  readonly createdAt: number
  readonly logins: JobLogins
  /** Null unless it is a run of a schedule. */
  readonly scheduleId: string | null
}

/** A source with the position of the same source in the base of the job, if any. */
export interface SourceToInsert extends Source {
  readonly basePosition?: number | null
}

/** What a creation in several transactions needs of its caller. */
export interface CreationSteps {
  /** Awaited after each of them but the last. */
  nextTurn(): Promise<void>
  /** Called before the last one. Throws when the job may no longer be created. */
  assertAllowed(): void
  /** Called in the last one, for what must be written with the job or not at all. */
  alongside(tx: Tx): void
}

/** Writes what users submit: new jobs with their sources, and other URLs for failed ones. */
export function openCreationStore(db: Database) {
  const countBytes = openJobByteCount(db)
  // One statement for the whole list: 5,000 sources take 3.7 ms, and 12 ms with one statement per row.
  const insertUrls = db.prepareWrite<null, { jobId: string; urlsJson: string }>(
    `INSERT INTO sources (job_id, position, url) SELECT $jobId, key, value FROM json_each($urlsJson)`,
  )
  const insertList = db.prepareWrite<null, { jobId: string; sourcesJson: string }>(
    `INSERT INTO sources (job_id, position, url, filename, sha256, base_position)
     SELECT $jobId, key, value ->> 'url', value ->> 'filename', unhex(value ->> 'sha256'), value ->> 'basePosition'
     FROM json_each($sourcesJson)`,
  )
  // Runs once per URL, for a list that is written in several transactions.
  const insertOne = db.prepareWrite<null, SourceRow>(
    `INSERT INTO sources (job_id, position, url, filename, sha256, base_position)
     VALUES ($jobId, $position, $url, $filename, unhex($sha256), $basePosition)`,
  )
  // These two run once per URL that a retry replaces.
  const forgetFailed = db.prepareWrite<{ position: number }, { jobId: string; position: number }>(
    `DELETE FROM entries WHERE job_id = $jobId AND position = $position AND status = 'failed' RETURNING position`,
  )
  const setUrl = db.prepareWrite<null, { jobId: string; position: number; url: string }>(
    'UPDATE sources SET url = $url, base_position = NULL WHERE job_id = $jobId AND position = $position',
  )

  const ofJob = sql.placeholder('jobId')
  const isFailed = db.orm
    .select({ position: entries.position })
    .from(entries)
    .where(
      and(
        eq(entries.jobId, ofJob),
        eq(entries.position, sql.placeholder('position')),
        eq(entries.status, 'failed'),
      ),
    )
    .prepare()
  const isRetryable = db.orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.id, ofJob),
        eq(jobs.userId, sql.placeholder('userId')),
        eq(jobs.status, 'failed'),
        eq(jobs.details, 'kept'),
      ),
    )
    .prepare()
  /** The jobs of which a part is written. */
  const beingWritten = new Set<string>()

  function insertAll(tx: Tx, jobId: string, sources: readonly SourceToInsert[]): void {
    if (sources.every(isOnlyUrl)) {
      // Looking up the fields of each source in its JSON would double the time.
      insertUrls.run(tx, { jobId, urlsJson: JSON.stringify(sources.map(({ url }) => url)) })
    } else insertList.run(tx, { jobId, sourcesJson: JSON.stringify(sources) })
  }

  function insertSlice(tx: Tx, jobId: string, { first, sources }: Slice<SourceToInsert>): void {
    sources.forEach((source, index) => {
      insertOne.run(tx, { jobId, position: first + index, basePosition: null, sha256: null, ...source })
    })
  }

  return {
    /**
     * Writes a pending job with its sources. Long lists are written in several transactions, each of some milliseconds, so that other
     * requests are answered between them. Only the last one writes the job: until then, nobody sees it, and its sources count as left over.
     */
    async create(
      { base, logins, ...job }: JobToCreate,
      sources: readonly SourceToInsert[],
      { nextTurn, assertAllowed, alongside }: CreationSteps,
      assertWithinLimits: (tx: Tx) => void,
    ): Promise<void> {
      const slices = areLong(sources) ? slicesOf(sources) : []
      using creation = new DisposableStack()
      beingWritten.add(job.id)
      creation.defer(() => beingWritten.delete(job.id))
      for (const [index, slice] of slices.entries()) {
        db.transaction((tx) => {
          if (index === 0) tx.insert(detailDeletions).values({ jobId: job.id }).run()
          insertSlice(tx, job.id, slice)
        })
        await nextTurn()
      }
      if (slices.length > 0) assertAllowed()
      db.durably((tx) => {
        tx.insert(jobs)
          .values({
            ...job,
            status: 'pending',
            urlCount: sources.length,
            baseJobId: base?.jobId,
            baseReuse: base?.reuse,
            keepsGone: base?.keepsGone,
          })
          .run()
        insertJobLogins(tx, job.id, logins)
        if (slices.length === 0) insertAll(tx, job.id, sources)
        else tx.delete(detailDeletions).where(eq(detailDeletions.jobId, job.id)).run()
        countBytes(tx, job.id)
        assertWithinLimits(tx)
        alongside(tx)
      })
    },
    /** Whether a part of this job is being written. */
    isBeingWritten: (jobId: string): boolean => beingWritten.has(jobId),
    /** Replaces failed URLs. Throws `INVALID_REQUEST` when one of the positions has no failed URL. */
    replaceFailed(tx: Tx, jobId: string, replacements: RetryOptions['replace']): void {
      const isWritten = areLong(replacements)
      assertAllFailed(replacements, ({ position, url }) => {
        if (forgetFailed.get(tx, { jobId, position }) === null) return false
        if (!isWritten) setUrl.run(tx, { jobId, position, url })
        return true
      })
      if (replacements.length > 0) countBytes(tx, jobId)
    },
    /**
     * For a retry, writes URLs in place of failed ones if they are so long that `replaceFailed` would take more than some
     * milliseconds. There are several transactions: when the process dies between them, the job has some of the new URLs, and is still
     * failed.
     */
    async replaceLong(
      { jobId, userId }: OwnedJob,
      replacements: RetryOptions['replace'],
      nextTurn: () => Promise<void>,
    ): Promise<void> {
      if (!areLong(replacements)) return
      const seen = new Set<number>()
      assertAllFailed(replacements, ({ position }) => {
        const isFirst = !seen.has(position)
        seen.add(position)
        return isFirst && isFailed.get({ jobId, position }) !== undefined
      })
      if (beingWritten.has(jobId)) throw new ServiceError('INVALID_REQUEST', 'This job is being retried.')
      using writing = new DisposableStack()
      beingWritten.add(jobId)
      writing.defer(() => beingWritten.delete(jobId))
      for (const { sources } of slicesOf(replacements)) {
        const isWritten = db.transaction((tx) => {
          if (isRetryable.get({ jobId, userId }) === undefined) return false
          for (const { position, url } of sources) setUrl.run(tx, { jobId, position, url })
          countBytes(tx, jobId)
          return true
        })
        if (!isWritten) return
        await nextTurn()
      }
    },
  }
}

/** @throws ServiceError `INVALID_REQUEST` with those that are not */
function assertAllFailed(
  replacements: RetryOptions['replace'],
  isFailed: (replacement: RetryOptions['replace'][number]) => boolean,
): void {
  const issues: Issue[] = []
  replacements.forEach((replacement, index) => {
    if (!isFailed(replacement))
      issues.push({ path: `replace.${index}.position`, message: 'is not the position of a failed URL' })
  })
  if (issues.length === 0) return
  throw new ServiceError('INVALID_REQUEST', 'Only URLs that failed can be replaced, each once.', issues)
}

/** What one transaction writes, with the position of the first in the list. */
interface Slice<T> {
  readonly first: number
  readonly sources: readonly T[]
}

interface Texts {
  readonly url: string
  readonly filename?: string | null
}

function charactersOf({ url, filename }: Texts): number {
  return url.length + (filename?.length ?? 0)
}

/** False for nearly all lists. They are written in one transaction. */
function areLong(sources: readonly Texts[]): boolean {
  return sources.reduce((sum, source) => sum + charactersOf(source), 0) > MAX_CHARACTERS_AT_ONCE
}

function slicesOf<T extends Texts>(sources: readonly T[]): Slice<T>[] {
  const slices: Slice<T>[] = []
  let first = 0
  let characters = 0
  for (const [index, source] of sources.entries()) {
    characters += charactersOf(source)
    if (characters < SLICE_CHARACTERS && index < sources.length - 1) continue
    slices.push({ first, sources: sources.slice(first, index + 1) })
    first = index + 1
    characters = 0
  }
  return slices
}

/** 5,000 URLs of 200 characters: more than nearly all lists have. They are written in some milliseconds. */
const MAX_CHARACTERS_AT_ONCE = 1024 * 1024
/** Written in two milliseconds; every eighth time SQLite moves its journal into the database, too, in 15. */
const SLICE_CHARACTERS = 512 * 1024

function isOnlyUrl({ filename, sha256, basePosition }: SourceToInsert): boolean {
  return filename === null && sha256 == null && basePosition == null
}

type SourceRow = {
  jobId: string
  position: number
  url: string
  filename: string | null
  sha256: string | null
  basePosition: number | null
}
