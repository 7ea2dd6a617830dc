import type { User } from '../../accounts/user.ts'
import { formatManifestLine, MANIFEST_NAMES } from '../../engine/manifest/manifest.ts'
import { ServiceError } from '../../errors.ts'
import { decodePosition, encodePosition, type PageRequest } from '../../paging.ts'
import type { EntryChange, EntryStatus } from '../../vocabulary.ts'
import { type Entry, jobNotFound } from '../job.ts'
import type { LiveProgress } from '../progress.ts'
import type { EntryState, JobQueries } from './query-store.ts'

/** Which entries a list shows; null lets all through. */
export interface EntryFilter {
  readonly status: EntryStatus | null
  readonly hasWarning: boolean | null
  readonly change: EntryChange | null
}

export interface EntryPage {
  /** Read from the database in small batches, since the URLs of a page may take 32 MB. */
  readonly entries: Iterable<Entry>
  /** Entries that the filter lets through, on all pages. */
  readonly total: number
  readonly nextCursor: string | null
}

export type Entries = ReturnType<typeof openEntries>

/** The entries of a job, one per URL: the committed rows, updated by the progress of a run. */
export function openEntries(queries: JobQueries, live: LiveProgress) {
  return {
    list(user: User, jobId: string, { cursor, limit, ...filter }: EntryFilter & PageRequest): EntryPage {
      const found = queries.find(user.id, jobId)
      if (found === null) throw jobNotFound()
      const list = `entries of ${jobId}`
      const last = cursor === null ? -1 : decodePosition(list, cursor)
      const positions = found.hasDetails ? positionsOf(jobId, found.job.urlCount, filter) : []
      const following = positions.filter((position) => position > last)
      const page = following.slice(0, limit)
      const end = page.at(-1)
      return {
        entries: { [Symbol.iterator]: () => entriesAt(jobId, page) },
        total: positions.length,
        nextCursor: following.length > limit && end !== undefined ? encodePosition(list, end) : null,
      }
    },

    /** The lines of the manifest in the archive. `NOT_FOUND` unless the job is completed, has one, and its URLs are kept. */
    manifest(user: User, jobId: string): Iterable<string> {
      const found = queries.find(user.id, jobId)
      if (found === null) throw jobNotFound()
      const { job, hasDetails } = found
      if (!job.hasManifest || job.status !== 'completed' || !hasDetails)
        throw new ServiceError('NOT_FOUND', 'This job has no manifest, or not yet, or no longer.')
      return manifestLines(jobId, job.fileCount - MANIFEST_NAMES.length)
    },
  }

  /** The files of an archive in batches. Throws if they are deleted meanwhile. */
  function* manifestLines(jobId: string, fileCount: number): Generator<string> {
    let after = -1
    let lines = 0
    for (;;) {
      const batch = queries.manifestFilesAfter(jobId, after, BATCH)
      for (const file of batch) yield formatManifestLine(file)
      lines += batch.length
      const last = batch.at(-1)
      if (last === undefined || batch.length < BATCH) break
      after = last.position
    }
    if (lines !== fileCount) throw new Error('the job was deleted while it was read')
  }

  /** The positions of all entries that a filter lets through. Reads no URLs; 5,000 rows take some milliseconds. */
  function positionsOf(jobId: string, urlCount: number, filter: EntryFilter): number[] {
    if (filter.status === null && filter.hasWarning === null && filter.change === null)
      return Array.from({ length: urlCount }, (_, position) => position)
    // The rows are behind a running job.
    return queries
      .entryStates(jobId)
      .map((row) => ({ ...row, ...live.entry(jobId, row.position) }))
      .filter((row) => isLetThrough(row, filter))
      .map(({ position }) => position)
  }

  function* entriesAt(jobId: string, positions: readonly number[]): Generator<Entry> {
    for (let index = 0; index < positions.length; ) {
      const first = positions[index] ?? 0
      const run = positions.slice(index, index + BATCH).filter((position, at) => position === first + at)
      for (const row of queries.entriesAfter(jobId, first - 1, run.length)) {
        const progress = live.entry(jobId, row.position)
        yield progress === null ? row : { ...row, ...progress }
      }
      index += run.length
    }
  }
}

function isLetThrough(entry: EntryState, { status, hasWarning, change }: EntryFilter): boolean {
  if (status !== null && entry.status !== status) return false
  if (change !== null && entry.change !== change) return false
  return hasWarning === null || (entry.warning !== null) === hasWarning
}

/** Rows that are read together, if they follow each other. Each client of a long response costs them as long as it reads. */
const BATCH = 8
