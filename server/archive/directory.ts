import type { ArchiveFile } from './file.ts'
import {
  centralHeaderBytes,
  type DirectoryExtent,
  type EntryFields,
  endOfCentralDirectory,
  writeCentralDirectoryHeader,
} from './format.ts'
import { RecordWriter } from './record-writer.ts'

/** Where the directory of these entries will lie: after the last one. */
export function directoryExtent(file: ArchiveFile, entries: Iterable<EntryFields>): DirectoryExtent {
  let count = 0
  let sizeBytes = 0
  for (const entry of entries) {
    count += 1
    sizeBytes += headerBytes(entry)
  }
  return { entries: count, offset: file.endOffset, sizeBytes }
}

/**
 * Writes the central directory and the end records after the last entry. Readers list the entries in the order given, which
 * need not be their physical order.
 * @returns the length of the finished archive
 */
export function writeDirectory(
  file: ArchiveFile,
  entries: Iterable<EntryFields>,
  extent: DirectoryExtent,
): number {
  let position = extent.offset
  for (const piece of directoryPieces(entries, extent)) {
    file.write(piece, position)
    position += piece.length
  }
  return position
}

/** Whether the file ends with exactly this directory, because an earlier run finished the archive. */
export function hasDirectory(file: ArchiveFile, entries: Iterable<EntryFields>): boolean {
  const extent = directoryExtent(file, entries)
  let position = extent.offset
  for (const piece of directoryPieces(entries, extent)) {
    const found = new Uint8Array(piece.length)
    if (file.read(found, position) !== piece.length || Buffer.compare(found, piece) !== 0) return false
    position += piece.length
  }
  return position === file.fileBytes
}

/** Each piece is valid until the next one is asked for: all are made in the same memory. */
function* directoryPieces(entries: Iterable<EntryFields>, extent: DirectoryExtent): Generator<Uint8Array> {
  const piece = new RecordWriter(Math.min(extent.sizeBytes, PIECE_BYTES))
  for (const entry of entries) {
    if (piece.remainingBytes < headerBytes(entry)) {
      yield piece.written
      piece.begin(piece.capacityBytes)
    }
    writeCentralDirectoryHeader(piece, entry)
  }
  yield piece.written
  yield endOfCentralDirectory(extent)
}

function headerBytes({ name, compressedBytes, sizeBytes, offset }: EntryFields): number {
  return centralHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes, offset)
}

/** The directory is written in pieces, so that millions of entries don't fill the memory. */
const PIECE_BYTES = 256 * 1024
