import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { User } from '../../accounts/user.ts'
import type { Database } from '../../db/open.ts'
import { entries, retentionPeriods, sources } from '../../db/schema.ts'
import { type BaseEntry, type Source, type SourceToPack, sourceKey } from '../../engine/job-order.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../time/clock.ts'
import { isDownloadable, type NewJob } from '../job.ts'
import { type JobQueries, type WarningColumns, warningOf } from '../reading/query-store.ts'
import type { SourceToInsert } from './creation-store.ts'

/** The finished archives from which new jobs copy entries. */
export type Bases = ReturnType<typeof openBases>

export function openBases(db: Database, queries: JobQueries, clock: Clock) {
  const ofJob = sql.placeholder('jobId')
  // A job that no longer exists may have had an archive or a checkpoint.
  const archiveOnce = db.orm
    .select({ jobId: retentionPeriods.jobId })
    .from(retentionPeriods)
    .where(and(eq(retentionPeriods.jobId, ofJob), eq(retentionPeriods.userId, sql.placeholder('userId'))))
    .limit(1)
    .prepare()
  const isStored = and(
    eq(entries.jobId, sources.jobId),
    eq(entries.position, sources.position),
    eq(entries.status, 'stored'),
  )
  const storedAfter = db.orm
    .select({ position: sources.position, url: sources.url, filename: sources.filename })
    .from(sources)
    .innerJoin(entries, isStored)
    .where(and(eq(sources.jobId, ofJob), gt(sources.position, sql.placeholder('after'))))
    .orderBy(asc(sources.position))
    .limit(BATCH)
    .prepare()

  /** `NOT_FOUND` unless the user has this completed job; `INVALID_REQUEST` when its archive has expired or was deleted. */
  function assertUsable(user: User, jobId: string): void {
    const job = queries.find(user.id, jobId)?.job ?? null
    if (job !== null && isDownloadable(job, clock())) return
    const hadArchive =
      job === null ? archiveOnce.get({ userId: user.id, jobId }) !== undefined : job.status === 'completed'
    if (!hadArchive) throw new ServiceError('NOT_FOUND', 'There is no such completed job to use as the base.')
    throw new ServiceError(
      'INVALID_REQUEST',
      'The archive of the base has expired or was deleted. Choose another base, or leave it out.',
      [{ path: 'base.job_id', message: 'must be a job whose archive is still kept' }],
    )
  }

  /**
   * The position in the base of each source: of the first packed entry with the same URL and requested name. Null where the
   * base has none.
   */
  async function positionsIn(
    baseJobId: string,
    wanted: readonly Source[],
    nextTurn: () => Promise<void>,
  ): Promise<(number | null)[]> {
    const keys: string[] = []
    for (const [index, source] of wanted.entries()) {
      keys.push(sourceKey(source))
      if (index % BATCH === BATCH - 1) await nextTurn()
    }
    const found = new Map<string, number | null>(keys.map((key) => [key, null]))
    for (let after = -1; ; await nextTurn()) {
      const batch = storedAfter.all({ jobId: baseJobId, after })
      for (const { position, ...source } of batch) {
        const key = sourceKey(source)
        if (found.get(key) === null) found.set(key, position)
      }
      const last = batch.at(-1)
      if (last === undefined) return keys.map((key) => found.get(key) ?? null)
      after = last.position
    }
  }

  return {
    /**
     * The sources of a new job, each with the position of the same source in the base, if any.
     * @param nextTurn awaited between pieces of work that take about a millisecond
     * @throws ServiceError `NOT_FOUND` or `INVALID_REQUEST` when the user can't use the base
     */
    async sourcesToInsert(
      user: User,
      { sources, base }: NewJob,
      nextTurn: () => Promise<void>,
    ): Promise<readonly SourceToInsert[]> {
      if (base === null) return sources
      assertUsable(user, base.jobId)
      const positions = await positionsIn(base.jobId, sources, nextTurn)
      return sources.map((source, index) => ({ ...source, basePosition: positions[index] ?? null }))
    },
  }
}

/** Reads the sources of a job with a base from position `first` on, in order, with the entries that can be copied. */
export function openBaseReader(db: Database) {
  // Twenty columns per URL: 2.0 µs in plain SQL, and 2.9 when Drizzle maps them (one machine).
  const read = db.prepare<SourceRow, { jobId: string; baseJobId: string; first: number; limit: number }>(
    `SELECT s.url, s.filename, lower(hex(s.sha256)) AS wantedSha256, e.position, coalesce(e.likely_name, e.name) AS name, e.name AS finalName, e.offset,
       e.header_bytes AS headerBytes, e.compressed_bytes AS compressedBytes, e.size_bytes AS sizeBytes,
       e.modified_at_ms AS modifiedAtMs, e.crc32, lower(hex(e.sha256)) AS sha256, e.fetched, e.method, e.etag, e.has_last_modified AS hasLastModified,
       e.final_url_hash AS finalUrlHash, e.kept_from AS keptFrom, e.warning_code AS warningCode, e.warning_message AS warningMessage
     FROM sources s
       LEFT JOIN entries e ON e.job_id = $baseJobId AND e.position = s.base_position AND e.status = 'stored'
     WHERE s.job_id = $jobId AND s.position >= $first ORDER BY s.position LIMIT $limit`,
  )
  return (jobId: string, baseJobId: string, first: number, limit: number): SourceToPack[] =>
    read
      .all({ jobId, baseJobId, first, limit })
      .map(({ url, filename, wantedSha256, position, warningCode, warningMessage, ...entry }) => {
        const source = { url, filename, sha256: wantedSha256 || null }
        if (position === null) return source
        const base = {
          ...entry,
          sha256: entry.sha256 || null,
          fetched: entry.fetched === null ? null : JSON.parse(entry.fetched),
          hasLastModified: entry.hasLastModified === 1,
          warning: warningOf({ warningCode, warningMessage }),
        }
        return { ...source, base }
      })
}

/** `position` is null where the base has no entry; then the columns of the entry are null, too. */
type SourceRow = Source &
  Omit<BaseEntry, 'sha256' | 'fetched' | 'hasLastModified' | 'warning'> &
  WarningColumns & {
    /** These two are empty where there is none: `hex` makes a text of NULL. */
    readonly wantedSha256: string
    readonly sha256: string
    readonly fetched: string | null
    readonly position: number | null
    readonly hasLastModified: 0 | 1 | null
  }

/** Sources that are read, or compared, together. With the longest URLs they are half a megabyte. */
const BATCH = 64
