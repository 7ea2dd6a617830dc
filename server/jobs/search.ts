import { decodeCursor, encodeCursor, type ListPlace } from '../paging.ts'
import type { Job, JobFilter } from './job.ts'
import type { JobQueries } from './query-store.ts'

export interface JobSearch {
  /** A part of the name of the ZIP or of a URL, ignoring case. */
  readonly text: string
  readonly filter: JobFilter | null
  readonly cursor: string | null
  readonly limit: number
}

/**
 * Finds a user's jobs by a text, newest first. It reads the URLs of one job after the other, and stops after
 * {@link MAX_COST}: then it may have found fewer than `limit`, and `nextCursor` is where the next search continues.
 * @param pause is awaited between pieces of work that take a millisecond or two
 */
export async function searchJobs(
  queries: JobQueries,
  userId: string,
  { text, filter, cursor, limit }: JobSearch,
  pause: () => Promise<void>,
): Promise<{ jobs: Job[]; nextCursor: string | null }> {
  const lowerCaseText = text.toLowerCase()
  const found: Job[] = []
  let place: ListPlace | null = cursor === null ? null : decodeCursor(cursor)
  let cost = 0
  let costAtPause = 0
  for (;;) {
    const batch = queries.page(userId, filter, place, BATCH)
    for (const job of batch) {
      if (place !== null && (found.length === limit || cost >= MAX_COST))
        return { jobs: found, nextCursor: encodeCursor(place) }
      if (cost - costAtPause >= COST_PER_TURN) {
        await pause()
        costAtPause = cost
      }
      const isNamed = job.zipFilename.toLowerCase().includes(lowerCaseText)
      cost += JOB_COST + (isNamed ? 0 : job.urlCount)
      if (isNamed || queries.hasUrlWith(job.id, text)) found.push(job)
      place = job
    }
    if (batch.length < BATCH) return { jobs: found, nextCursor: null }
  }
}

const BATCH = 64
/** In URLs, of which SQLite compares ten per microsecond: a page takes at most about 50 ms, in turns of 2 ms. */
const MAX_COST = 500_000
const COST_PER_TURN = 20_000
/** Reading the row of a job takes as long as comparing this many URLs. */
const JOB_COST = 50
