import type { User } from '../accounts/user.ts'
import { ServiceError } from '../errors.ts'
import { decodePosition, encodePosition } from './cursor.ts'
import type { Entry, EntryStatus } from './job.ts'
import type { JobStore } from './job-store.ts'
import type { LiveProgress } from './progress.ts'

export interface EntryPage {
  readonly entries: readonly Entry[]
  /** Entries of any status: a row a URL. */
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
      if (found === null) throw new ServiceError('NOT_FOUND', 'There is no such job.')
      const matching: Entry[] = []
      for (const entry of after(jobId, query.cursor === null ? -1 : decodePosition(query.cursor))) {
        if (query.status === null || entry.status === query.status) matching.push(entry)
        if (matching.length > query.limit) break
      }
      const entries = matching.slice(0, query.limit)
      const last = entries.at(-1)
      const more = matching.length > query.limit && last !== undefined
      return { entries, total: found.job.urlCount, nextCursor: more ? encodePosition(last.position) : null }
    },
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
