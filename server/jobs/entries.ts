import type { User } from '../accounts/user.ts'
import type { EntryStatus } from '../vocabulary.ts'
import { decodePosition, encodePosition } from './cursor.ts'
import { type Entry, jobNotFound } from './job.ts'
import type { JobStore } from './job-store.ts'
import type { LiveProgress } from './progress.ts'

export interface EntryPage {
  readonly entries: readonly Entry[]
  /** Entries of the status that is asked for, over all pages. */
  readonly total: number
  readonly nextCursor: string | null
}

/** Rows looked at together while a filter passes over those that don't match. */
const BATCH = 500

export type Entries = ReturnType<typeof openEntries>

/** What has become of each URL of a job: the committed rows, and the news of a run that is ahead of them. */
export function openEntries(store: JobStore, live: LiveProgress) {
  return {
    list(
      user: User,
      jobId: string,
      query: { status: EntryStatus | null; cursor: string | null; limit: number },
    ): EntryPage {
      const found = store.find(user.id, jobId)
      if (found === null) throw jobNotFound()
      const last = query.cursor === null ? -1 : decodePosition(query.cursor)
      if (!found.hasDetails) return pageOf([], 0, query.limit)
      return query.status === null
        ? pageOf(after(jobId, last), found.job.urlCount, query.limit)
        : filteredPage(jobId, query.status, last, query.limit)
    },
  }

  /** Reads every row, a few milliseconds for the 5,000 that there can be: a running job's are not yet all in the table. */
  function filteredPage(jobId: string, status: EntryStatus, last: number, limit: number): EntryPage {
    const following: Entry[] = []
    let total = 0
    for (const entry of after(jobId, -1)) {
      if (entry.status !== status) continue
      total++
      if (entry.position > last && following.length <= limit) following.push(entry)
    }
    return pageOf(following, total, limit)
  }

  function* after(jobId: string, position: number): Generator<Entry> {
    let last = position
    for (;;) {
      const batch = store.entriesAfter(jobId, last, BATCH)
      for (const row of batch) {
        const news = live.entry(jobId, row.position)
        yield news === null ? row : { ...row, ...news }
      }
      const end = batch.at(-1)
      if (end === undefined) return
      last = end.position
    }
  }
}

/** The first `limit` of the entries, with the place of the next ones. */
function pageOf(following: Iterable<Entry>, total: number, limit: number): EntryPage {
  const rows = Iterator.from(following)
    .take(limit + 1)
    .toArray()
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const more = rows.length > limit && last !== undefined
  return { entries, total, nextCursor: more ? encodePosition(last.position) : null }
}
