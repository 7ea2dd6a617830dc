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

/** In pieces, so that millions of entries don't fill the memory. */
export function* directoryPieces(
  entries: readonly EntryFields[],
  extent: DirectoryExtent,
): Generator<Uint8Array> {
  for (let first = 0; first < entries.length; first += PIECE_ENTRIES)
    yield Buffer.concat(entries.slice(first, first + PIECE_ENTRIES).map(centralDirectoryHeader))
  yield endOfCentralDirectory(extent)
}

function headerBytes({ name, compressedBytes, sizeBytes, offset }: EntryFields): number {
  return centralHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes, offset)
}

/** With names of usual lengths, some hundred kilobytes. */
const PIECE_ENTRIES = 2_000
