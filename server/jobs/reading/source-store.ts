import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { releaseMemory } from '../../bytes.ts'
import type { Database } from '../../db/open.ts'
import { sources } from '../../db/schema.ts'
import type { Source } from '../../engine/job-order.ts'

/** Reads the sources of a job from position `first` on, in order. */
export function openSourceReader(db: Database): (jobId: string, first: number, limit: number) => Source[] {
  const read = db.orm
    .select({ url: sources.url, filename: sources.filename, sha256: sources.sha256 })
    .from(sources)
    .where(and(eq(sources.jobId, sql.placeholder('jobId')), gte(sources.position, sql.placeholder('first'))))
    .orderBy(asc(sources.position))
    .limit(sql.placeholder('limit'))
    .prepare()
  return (jobId, first, limit) =>
    read
      .all({ jobId, first, limit })
      .map(({ sha256, ...source }) => ({ ...source, sha256: sha256?.toString('hex') ?? null }))
}

/** What a search has compared. */
export interface ComparedUrls {
  readonly isFound: boolean
  readonly bytes: number
  /** The position where the next search goes on. */
  readonly next: number
}

/**
 * Whether one of the next URLs of a job, from position `first` on, contains a text, ignoring the case of ASCII letters. The time
 * depends on the bytes of the URLs alone, not on the text: the search of `Buffer` is linear, where `LIKE '%...%'` takes 4 ms for one
 * URL of 8 KB and a text of 255 characters.
 */
export function openUrlSearch(db: Database): (jobId: string, text: string, first: number) => ComparedUrls {
  // Plain SQL, because all of it is functions of SQLite. The byte FF, which is in no text, stands between two URLs.
  const urlsIn = db.prepare<{ urls: Uint8Array<ArrayBuffer> | null }, Positions>(
    `SELECT CAST(group_concat(lower(url), CAST(x'FF' AS TEXT)) AS BLOB) AS urls
     FROM sources WHERE job_id = $jobId AND position >= $first AND position < $end`,
  )
  return (jobId, text, first) => {
    const next = first + SEARCHED_TOGETHER
    const urls = urlsIn.get({ jobId, first, end: next })?.urls ?? new Uint8Array()
    const lowerCaseText = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    const compared = { isFound: Buffer.from(urls.buffer).includes(lowerCaseText), bytes: urls.length, next }
    releaseMemory(urls)
    return compared
  }
}

type Positions = { jobId: string; first: number; end: number }

/** URLs that are compared together, in a third of a millisecond. */
const SEARCHED_TOGETHER = 32
