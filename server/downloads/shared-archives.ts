import type { ArchiveReader } from '../archive/reading/reader.ts'
import { DamagedBody } from '../archive/reading/unpacked.ts'
import { verifiedBody } from '../archive/reading/verify.ts'
import type { ByteRange } from '../bytes.ts'
import { MANIFEST_NAMES } from '../engine/manifest/manifest.ts'
import { ServiceError } from '../errors.ts'
import { hasEnded, type Job } from '../jobs/job.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { Log } from '../logging/log.ts'
import { decodePosition, encodePosition } from '../paging.ts'
import type { ArchivedEntry, ArchivedEntryStore, ArchivedFile } from './archived-entry-store.ts'
import type { ArchiveHistory, Download, Downloads } from './downloads.ts'
import type { PositionRange } from './range.ts'
import { selectionOf } from './selection.ts'

/** What somebody with a download link may know of an archive: nothing of its maker, its sources or their errors. */
export interface SharedArchive
  extends Pick<Job, 'zipFilename' | 'zipBytes' | 'fileCount' | 'expiresAt' | 'status'> {
  /** From 0 to 0.99; null unless the archive is still being packed. */
  readonly progress: number | null
  /** How many URLs a finished archive leaves out, because they could not be fetched. */
  readonly missingCount: number
  /** Null unless the link is that of a schedule. */
  readonly history: ArchiveHistory | null
}

export interface SharedFilePage {
  /** Read from the database as they are needed. */
  readonly files: Iterable<ArchivedFile>
  readonly total: number
  readonly nextCursor: string | null
}

/** A ZIP with some files of an archive, ready to be sent. */
export interface SharedSelection extends Download {
  pieces(range: ByteRange, pieceBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

/** One file of an archive, ready to be sent by itself. */
export interface SharedFile extends Download {
  /** The offset of its bytes in `content`; null when they are compressed there. */
  readonly storedOffset: number | null
  /** Its bytes, read on demand. @throws ServiceError `UNAVAILABLE` in place of the last piece when they are damaged */
  pieces(pieceBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

export type SharedArchives = ReturnType<typeof openSharedArchives>

/** What a download token opens besides the archive. Each function throws `INVALID_TOKEN` or `EXPIRED_TOKEN`. */
export function openSharedArchives(
  downloads: Downloads,
  entries: ArchivedEntryStore,
  live: Pick<LiveProgress, 'counts'>,
  log: Log,
) {
  /** Reads some at a time. Throws when the job is deleted meanwhile. */
  function* filesAfter(jobId: string, last: number, count: number): Generator<ArchivedFile> {
    let after = last
    for (let left = count; left > 0; ) {
      const read = entries.filesAfter(jobId, after, Math.min(left, ENTRIES_AT_ONCE))
      yield* read
      const end = read.at(-1)
      if (end === undefined) throw new Error('the job was deleted while it was read')
      after = end.position
      left -= read.length
    }
  }

  /** Reads some at a time. */
  function* entriesIn(jobId: string, ranges: readonly PositionRange[]): Generator<ArchivedEntry> {
    for (const { first, last } of ranges) {
      for (let from = first; ; ) {
        const read = entries.entriesBetween(jobId, from, last, ENTRIES_AT_ONCE)
        yield* read
        const end = read.at(-1)
        if (end === undefined || read.length < ENTRIES_AT_ONCE) break
        from = end.position + 1
      }
    }
  }

  return {
    describe(token: string): SharedArchive {
      const job = downloads.jobOf(token)
      const { zipFilename, expiresAt, status, urlCount } = job
      const { zipBytes, fileCount, doneFraction } = live.counts(job.id) ?? job
      const progress = hasEnded(job) ? null : doneFraction
      const addedCount = job.hasManifest ? MANIFEST_NAMES.length : 0
      const missingCount = status === 'completed' ? urlCount + addedCount - fileCount : 0
      const history = downloads.historyOf(token, job)
      return { zipFilename, zipBytes, fileCount, expiresAt, status, progress, missingCount, history }
    },
    /** In URL order; none until the archive is finished, since names and sizes may change until then. */
    list(token: string, { cursor, limit }: { cursor: string | null; limit: number }): SharedFilePage {
      const job = downloads.jobOf(token)
      const list = `files of ${job.id}`
      const last = cursor === null ? -1 : decodePosition(list, cursor)
      if (job.status !== 'completed') return { files: [], total: 0, nextCursor: null }
      const positions = entries.positionsAfter(job.id, last, limit + 1)
      const end = positions[limit - 1]
      const nextCursor = positions.length > limit && end !== undefined ? encodePosition(list, end) : null
      const count = Math.min(positions.length, limit)
      return { files: filesAfter(job.id, last, count), total: job.fileCount, nextCursor }
    },
    /**
     * `NOT_FOUND` when no file has one of the positions.
     * @param nextTurn is awaited between pieces of work that take about a millisecond
     */
    async openSelection(
      token: string,
      ranges: readonly PositionRange[],
      nextTurn: () => Promise<void>,
    ): Promise<SharedSelection> {
      const job = downloads.jobOf(token)
      const archive = downloads.open(token)
      const selected = { [Symbol.iterator]: () => entriesIn(job.id, ranges) }
      const { fileCount, sizeBytes, digest, pieces } = await selectionOf(archive.content, selected, nextTurn)
      if (fileCount === 0) throw new ServiceError('NOT_FOUND', 'This archive has none of these files.')
      const count = fileCount === 1 ? '1 file' : `${fileCount} files`
      return {
        ...archive,
        sizeBytes,
        pieces,
        filename: archive.filename.replace(/\.zip$/, ` (${count}).zip`),
        etag: archive.etag.replace(/"$/, `+${digest}"`),
      }
    },
    /** `NOT_FOUND` when no file has the position. */
    openFile(token: string, position: number): SharedFile {
      const job = downloads.jobOf(token)
      const archive = downloads.open(token)
      const entry = entries.entryAt(job.id, position)
      if (entry === null) throw new ServiceError('NOT_FOUND', 'There is no such file in this archive.')
      return {
        content: archive.content,
        expiresAt: archive.expiresAt,
        filename: entry.name.slice(entry.name.lastIndexOf('/') + 1),
        sizeBytes: entry.sizeBytes,
        etag: archive.etag.replace(/"$/, `/${position}"`),
        changedAt: archive.changedAt,
        storedOffset: entry.method === 0 ? entry.offset + entry.headerBytes : null,
        async *pieces(pieceBytes) {
          try {
            const stored: ArchiveReader = {
              pieces: (offset, lengthBytes) => archive.content.pieces(offset, lengthBytes, pieceBytes),
            }
            yield* verifiedBody(stored, entry, pieceBytes)
          } catch (error) {
            // Not by `isIntact`: a client gets each piece as it is read, and damage is known only at the end.
            if (!(error instanceof DamagedBody)) throw error
            log.error('a file in an archive is damaged', { job: job.id, position, damage: error.message })
            throw damaged()
          }
        },
      }
    },
  }
}

/** With the longest names, 64 KB, which each client costs as long as it reads. */
const ENTRIES_AT_ONCE = 16

function damaged(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'This file of the archive is damaged. Ask whoever sent you the link to create the archive again.',
  )
}
