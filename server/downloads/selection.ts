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
import type { ArchivedEntry } from './archived-entry-store.ts'
import type { ByteRange } from './range.ts'

/** A ZIP with some files of an archive. Its bytes depend on these files alone, so that a download can be continued. */
export interface Selection {
  readonly sizeBytes: number
  pieces(range: ByteRange): AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

/** The compressed bytes are those of the archive, and are not checked: whoever unpacks the ZIP compares the CRC-32 of each file. */
export function selectionOf(content: ArchiveContent, entries: readonly ArchivedEntry[]): Selection {
  let offset = 0
  const packed = entries.map((entry) => {
    const fields = { ...entry, offset, headerBytes: headerBytesOf(entry) } satisfies EntryFields
    offset += fields.headerBytes + entry.compressedBytes
    return { fields, bodyOffset: entry.offset + entry.headerBytes }
  })
  const listed = packed.map(({ fields }) => fields)
  const directory: DirectoryExtent = {
    entries: listed.length,
    offset,
    sizeBytes: listed.reduce((sum, entry) => sum + directoryBytesOf(entry), 0),
  }
  return {
    sizeBytes: directory.offset + directory.sizeBytes + endBytes(directory),
    async *pieces({ start, end }) {
      for (const { fields, bodyOffset } of packed) {
        const bodyStart = fields.offset + fields.headerBytes
        const bodyEnd = bodyStart + fields.compressedBytes
        if (bodyEnd <= start) continue
        if (fields.offset >= end) return
        yield* within([localFileHeader(fields)], fields.offset, start, end)
        const first = Math.max(start, bodyStart)
        const length = Math.min(end, bodyEnd) - first
        if (length > 0) yield* content.pieces(bodyOffset + first - bodyStart, length)
      }
      yield* within(directoryPieces(listed, directory), directory.offset, start, end)
    },
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
