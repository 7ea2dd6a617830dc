import type { ArchiveFile } from './archive-file.ts'
import {
  centralDirectoryHeader,
  centralHeaderBytes,
  type EntryFields,
  endBytes,
  endOfCentralDirectory,
} from './format.ts'

/**
 * Writes the central directory and the end records after the last entry. Readers list the entries in the order given, which
 * need not be their physical order.
 * @returns the length of the finished archive
 */
export function writeDirectory(file: ArchiveFile, entries: Iterable<EntryFields>): number {
  let position = file.endOffset
  for (const piece of directoryPieces(entries, file.endOffset)) {
    file.write(piece, position)
    position += piece.length
  }
  return position
}

/** Length of the directory and the end records that `writeDirectory` would write. */
export function directoryBytes(file: ArchiveFile, entries: readonly EntryFields[]): number {
  const sizeBytes = entries.reduce(
    (sum, entry) =>
      sum + centralHeaderBytes(entry.name.length, entry.compressedBytes, entry.sizeBytes, entry.offset),
    0,
  )
  return sizeBytes + endBytes({ entries: entries.length, offset: file.endOffset, sizeBytes })
}

/** Whether the file ends with exactly this directory, because an earlier run finished the archive. */
export function hasDirectory(file: ArchiveFile, entries: Iterable<EntryFields>): boolean {
  let position = file.endOffset
  for (const piece of directoryPieces(entries, file.endOffset)) {
    const found = new Uint8Array(piece.length)
    if (file.read(found, position) !== piece.length || Buffer.compare(found, piece) !== 0) return false
    position += piece.length
  }
  return position === file.fileBytes
}

function* directoryPieces(entries: Iterable<EntryFields>, offset: number): Generator<Uint8Array> {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let sizeBytes = 0
  let count = 0
  for (const entry of entries) {
    const header = centralDirectoryHeader(entry)
    pending.push(header)
    pendingBytes += header.length
    count += 1
    if (pendingBytes < PIECE_BYTES) continue
    yield Buffer.concat(pending)
    sizeBytes += pendingBytes
    pending = []
    pendingBytes = 0
  }
  sizeBytes += pendingBytes
  pending.push(endOfCentralDirectory({ entries: count, offset, sizeBytes }))
  yield Buffer.concat(pending)
}

/** The directory is written in pieces, so that millions of entries don't fill the memory. */
const PIECE_BYTES = 256 * 1024
