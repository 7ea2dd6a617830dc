import type { User } from '../accounts/user.ts'
import { decodePosition, encodePosition } from '../paging.ts'
import type { EntryStatus } from '../vocabulary.ts'
import { type Entry, jobNotFound } from './job.ts'
import type { LiveProgress } from './progress.ts'
import type { JobQueries } from './query-store.ts'

/** Which entries a list shows; null lets all through. */
export interface EntryFilter {
  readonly status: EntryStatus | null
  readonly hasWarning: boolean | null
}

export interface EntryPage {
  readonly entries: readonly Entry[]
  /** Entries that the filter lets through, on all pages. */
  readonly total: number
  readonly nextCursor: string | null
}

export type Entries = ReturnType<typeof openEntries>

/** The entries of a job, one per URL: the committed rows, updated by the progress of a run. */
export function openEntries(queries: JobQueries, live: LiveProgress) {
  return {
    list(
      user: User,
      jobId: string,
      query: EntryFilter & { cursor: string | null; limit: number },
    ): EntryPage {
      const found = queries.find(user.id, jobId)
      if (found === null) throw jobNotFound()
      const last = query.cursor === null ? -1 : decodePosition(query.cursor)
      if (!found.hasDetails) return pageOf([], 0, query.limit)
      return query.status === null && query.hasWarning === null
        ? pageOf(after(jobId, last), found.job.urlCount, query.limit)
        : filteredPage(jobId, query, last, query.limit)
    },
  }

  /** Reads all rows of the job, since the table is behind a running job. 5,000 rows take a few milliseconds. */
  function filteredPage(jobId: string, filter: EntryFilter, last: number, limit: number): EntryPage {
    const following: Entry[] = []
    let total = 0
    for (const entry of after(jobId, -1)) {
      if (!isLetThrough(entry, filter)) continue
      total++
      if (entry.position > last && following.length <= limit) following.push(entry)
    }
    return pageOf(following, total, limit)
  }

  function* after(jobId: string, position: number): Generator<Entry> {
    let last = position
    for (;;) {
      const batch = queries.entriesAfter(jobId, last, BATCH)
      for (const row of batch) {
        const progress = live.entry(jobId, row.position)
        yield progress === null ? row : { ...row, ...progress }
      }
      const end = batch.at(-1)
      if (end === undefined) return
      last = end.position
    }
  }
}

function isLetThrough(entry: Entry, { status, hasWarning }: EntryFilter): boolean {
  if (status !== null && entry.status !== status) return false
  return hasWarning === null || (entry.warning !== null) === hasWarning
}

/** The first `limit` entries, and the cursor of the next page. */
function pageOf(following: Iterable<Entry>, total: number, limit: number): EntryPage {
  const rows = Iterator.from(following)
    .take(limit + 1)
    .toArray()
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const more = rows.length > limit && last !== undefined
  return { entries, total, nextCursor: more ? encodePosition(last.position) : null }
}

/** Rows that are read together, whether or not they match the filter. */
const BATCH = 500
