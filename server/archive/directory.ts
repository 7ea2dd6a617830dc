import type { ArchiveFile } from './archive-file.ts'
import {
  centralHeaderBytes,
  type EntryFields,
  endBytes,
  endOfCentralDirectory,
  writeCentralDirectoryHeader,
} from './format.ts'
import { RecordWriter } from './record-writer.ts'

/**
 * Writes the central directory and the end records after the last entry. Readers list the entries in the order given, which
 * need not be their physical order.
 * @returns the length of the finished archive
 */
export function writeDirectory(file: ArchiveFile, entries: readonly EntryFields[]): number {
  let position = file.endOffset
  for (const piece of directoryPieces(entries, file.endOffset)) {
    file.write(piece, position)
    position += piece.length
  }
  return position
}

/** Length of the directory and the end records that `writeDirectory` would write. */
export function directoryBytes(file: ArchiveFile, entries: readonly EntryFields[]): number {
  const sizeBytes = headersBytes(entries)
  return sizeBytes + endBytes({ entries: entries.length, offset: file.endOffset, sizeBytes })
}

/** Whether the file ends with exactly this directory, because an earlier run finished the archive. */
export function hasDirectory(file: ArchiveFile, entries: readonly EntryFields[]): boolean {
  let position = file.endOffset
  for (const piece of directoryPieces(entries, file.endOffset)) {
    const found = new Uint8Array(piece.length)
    if (file.read(found, position) !== piece.length || Buffer.compare(found, piece) !== 0) return false
    position += piece.length
  }
  return position === file.fileBytes
}

/** Each piece is valid until the next one is asked for: all are made in the same memory. */
function* directoryPieces(entries: readonly EntryFields[], offset: number): Generator<Uint8Array> {
  const sizeBytes = headersBytes(entries)
  const piece = new RecordWriter(Math.min(sizeBytes, PIECE_BYTES))
  for (const entry of entries) {
    if (piece.remainingBytes < headerBytes(entry)) {
      yield piece.written
      piece.clear()
    }
    writeCentralDirectoryHeader(piece, entry)
  }
  yield piece.written
  yield endOfCentralDirectory({ entries: entries.length, offset, sizeBytes })
}

function headersBytes(entries: readonly EntryFields[]): number {
  return entries.reduce((sum, entry) => sum + headerBytes(entry), 0)
}

function headerBytes({ name, compressedBytes, sizeBytes, offset }: EntryFields): number {
  return centralHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes, offset)
}

/** The directory is written in pieces, so that millions of entries don't fill the memory. */
const PIECE_BYTES = 256 * 1024
