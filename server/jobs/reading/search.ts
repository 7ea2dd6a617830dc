// server/decisions/lists-and-counts.md says why URLs are searched as bytes, without an index.

import { decodeCursor, encodeCursor, type ListPlace } from '../../paging.ts'
import { type Job, type JobFilter, listOfJobs } from '../job.ts'
import type { JobQueries } from './query-store.ts'

export interface JobSearch {
  /** A part of the name of the ZIP or of a URL, ignoring case. */
  readonly text: string
  readonly filter: JobFilter | null
  readonly cursor: string | null
  readonly limit: number
}

/**
 * Finds a user's jobs by a text, newest first. It reads the URLs of one job after the other, and stops after the first job with
 * which it has read {@link MAX_BYTES}: then it may have found fewer than `limit`, and `nextCursor` is where the next search
 * continues.
 * @param nextTurn is awaited between pieces of work that take a third of a millisecond, whatever is searched
 */
export async function searchJobs(
  queries: JobQueries,
  userId: string,
  { text, filter, cursor, limit }: JobSearch,
  nextTurn: () => Promise<void>,
): Promise<{ jobs: Job[]; nextCursor: string | null }> {
  const lowerCaseText = text.toLowerCase()
  const found: Job[] = []
  let place: ListPlace | null = cursor === null ? null : decodeCursor(listOfJobs(userId), cursor)
  let bytes = 0
  let bytesAtPause = 0

  async function count(read: number): Promise<void> {
    bytes += read
    if (bytes - bytesAtPause < BYTES_PER_TURN) return
    await nextTurn()
    bytesAtPause = bytes
  }

  async function hasUrl({ id, urlCount }: Job): Promise<boolean> {
    for (let first = 0; first < urlCount; ) {
      const compared = queries.hasUrlWith(id, text, first)
      if (compared.isFound) return true
      await count(compared.bytes)
      first = compared.next
    }
    return false
  }

  for (;;) {
    const batch = queries.page(userId, filter, place, BATCH)
    for (const job of batch) {
      if (place !== null && (found.length === limit || bytes >= MAX_BYTES))
        return { jobs: found, nextCursor: encodeCursor(listOfJobs(userId), place) }
      await count(JOB_BYTES)
      const isNamed = job.zipFilename.toLowerCase().includes(lowerCaseText)
      if (isNamed || (await hasUrl(job))) found.push(job)
      place = job
    }
    if (batch.length < BATCH) return { jobs: found, nextCursor: null }
  }
}

const BATCH = 64
/** Of URLs, of which a gigabyte per second is compared: a page takes at most about 50 ms, in short turns. */
const MAX_BYTES = 50_000_000
const BYTES_PER_TURN = 256_000
/** Reading the row of a job takes as long as comparing URLs of this length. */
const JOB_BYTES = 10_000
