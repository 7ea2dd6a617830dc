import { directoryPieces } from '../archive/directory.ts'
import {
  centralHeaderBytes,
  type DirectoryExtent,
  type EntryFields,
  endBytes,
  localFileHeader,
  localHeaderBytes,
} from '../archive/format.ts'
import type { ArchiveContent } from '../archive-store/archive-content.ts'
import type { ByteRange } from '../bytes.ts'
import { ServiceError } from '../errors.ts'
import type { ArchivedEntry } from './archived-entry-store.ts'

/** A ZIP with some files of an archive. Its bytes depend on these files alone, so that a download can be continued. */
export interface Selection {
  readonly fileCount: number
  readonly sizeBytes: number
  /** The same for the same files of an archive. */
  readonly digest: string
  /**
   * @param pieceBytes how long a piece may be
   * @throws ServiceError `UNAVAILABLE` when the archive is deleted meanwhile
   */
  pieces(range: ByteRange, pieceBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

/**
 * The compressed bytes are those of the archive, and are not checked: whoever unpacks the ZIP compares the CRC-32 of each file.
 * @param entries read from the database as they are needed: 5,000 with the longest names are 20 MB, and many clients may read slowly
 * @param nextTurn is awaited between pieces of work that take about a millisecond
 */
export async function selectionOf(
  content: ArchiveContent,
  entries: Iterable<ArchivedEntry>,
  nextTurn: () => Promise<void>,
): Promise<Selection> {
  const positions: number[] = []
  let offset = 0
  let directoryBytes = 0
  for (const { fields, position } of placed(entries)) {
    positions.push(position)
    offset = fields.offset + fields.headerBytes + fields.compressedBytes
    directoryBytes += directoryBytesOf(fields)
    if (positions.length % ENTRIES_PER_TURN === 0) await nextTurn()
  }
  const directory: DirectoryExtent = { entries: positions.length, offset, sizeBytes: directoryBytes }

  /** Throws if there are fewer than were counted: a download without the last files would end as if it were whole. */
  function* again(): Generator<SelectedEntry> {
    let count = 0
    for (const entry of placed(entries)) {
      count++
      yield entry
    }
    if (count < directory.entries)
      throw new ServiceError('UNAVAILABLE', 'This archive was deleted while it was sent.')
  }

  return {
    fileCount: directory.entries,
    sizeBytes: directory.offset + directory.sizeBytes + endBytes(directory),
    digest: Bun.hash(positions.join()).toString(36),
    async *pieces({ start, end }, pieceBytes) {
      let passed = 0
      for (const { fields, bodyOffset } of again()) {
        const bodyStart = fields.offset + fields.headerBytes
        const bodyEnd = bodyStart + fields.compressedBytes
        if (bodyEnd <= start) {
          if (++passed % ENTRIES_PER_TURN === 0) await nextTurn()
          continue
        }
        if (fields.offset >= end) return
        yield* within([localFileHeader(fields)], fields.offset, start, end)
        const first = Math.max(start, bodyStart)
        const length = Math.min(end, bodyEnd) - first
        if (length > 0) yield* content.pieces(bodyOffset + first - bodyStart, length, pieceBytes)
      }
      const listed = again().map(({ fields }) => fields)
      yield* within(directoryPieces(listed, directory, pieceBytes), directory.offset, start, end)
    },
  }
}

interface SelectedEntry {
  readonly position: number
  readonly fields: EntryFields & { readonly headerBytes: number }
  /** Where its body is in the archive. */
  readonly bodyOffset: number
}

/** The entries one after the other. */
function* placed(entries: Iterable<ArchivedEntry>): Generator<SelectedEntry> {
  let offset = 0
  for (const entry of entries) {
    const fields = { ...entry, offset, headerBytes: headerBytesOf(entry) } satisfies EntryFields
    yield { position: entry.position, fields, bodyOffset: entry.offset + entry.headerBytes }
    offset += fields.headerBytes + entry.compressedBytes
  }
}

/** The parts of pieces, the first of which is at `offset`, that are from `start` to `end`. */
function* within(
  pieces: Iterable<Uint8Array>,
  offset: number,
  start: number,
  end: number,
): Generator<Uint8Array<ArrayBuffer>> {
  let at = offset
  for (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end - at))
    if (part.length > 0) yield new Uint8Array(part)
    at += piece.length
  }
}

/** Without the padding that the header has in the archive. */
function headerBytesOf({ name, compressedBytes, sizeBytes }: ArchivedEntry): number {
  return localHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes)
}

function directoryBytesOf({ name, compressedBytes, sizeBytes, offset }: EntryFields): number {
  return centralHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes, offset)
}

/** With the longest names, they are read and counted in a millisecond. */
const ENTRIES_PER_TURN = 128
