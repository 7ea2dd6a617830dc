import type { ArchiveFile } from './file.ts'
import {
  centralDirectoryHeader,
  centralHeaderBytes,
  type DirectoryExtent,
  type EntryFields,
  endOfCentralDirectory,
} from './format.ts'
import { readRange } from './reading/reader.ts'

/** Where the directory of these entries will lie: after the last one. */
export function directoryExtent(file: ArchiveFile, entries: readonly EntryFields[]): DirectoryExtent {
  const sizeBytes = entries.reduce((sum, entry) => sum + headerBytes(entry), 0)
  return { entries: entries.length, offset: file.endOffset, sizeBytes }
}

/**
 * Writes the central directory and the end records after the last entry. Readers list the entries in the order given, which
 * need not be their physical order.
 * @returns the length of the finished archive
 */
export function writeDirectory(
  file: ArchiveFile,
  entries: readonly EntryFields[],
  extent: DirectoryExtent,
): number {
  let offset = extent.offset
  for (const piece of directoryPieces(entries, extent)) {
    file.write(piece, offset)
    offset += piece.length
  }
  return offset
}

/** Whether the file ends with exactly this directory, because an earlier run finished the archive. */
export async function hasDirectory(file: ArchiveFile, entries: readonly EntryFields[]): Promise<boolean> {
  const extent = directoryExtent(file, entries)
  let offset = extent.offset
  for (const piece of directoryPieces(entries, extent)) {
    const found = await readRange(file, offset, piece.length)
    if (Buffer.compare(found, piece) !== 0) return false
    offset += piece.length
  }
  return offset === file.fileBytes
}

/** In pieces of about `pieceBytes`, so that millions of entries don't fill the memory. */
export function* directoryPieces(
  entries: Iterable<EntryFields>,
  extent: DirectoryExtent,
  pieceBytes = PIECE_BYTES,
): Generator<Uint8Array> {
  let headers: Uint8Array[] = []
  let bytes = 0
  for (const entry of entries) {
    const header = centralDirectoryHeader(entry)
    headers.push(header)
    bytes += header.length
    if (bytes < pieceBytes) continue
    yield Buffer.concat(headers)
    headers = []
    bytes = 0
  }
  yield Buffer.concat([...headers, endOfCentralDirectory(extent)])
}

function headerBytes({ name, compressedBytes, sizeBytes, offset }: EntryFields): number {
  return centralHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes, offset)
}

const PIECE_BYTES = 256 * 1024
