import { directoryExtent, writeDirectory } from './directory.ts'
import type { ArchiveFile, Space } from './file.ts'
import { type EntryFields, endBytes, localFileHeader } from './format.ts'

/**
 * Finds the gap that ends where an entry begins. The entry can absorb it: it then begins where the gap does, and padding in its
 * local header fills the gap.
 */
export function gapsBeforeEntries(file: ArchiveFile): (offset: number) => Space | undefined {
  const gapsByEnd = new Map(file.gaps.map((gap) => [gap.offset + gap.lengthBytes, gap]))
  return (offset) => gapsByEnd.get(offset)
}

/**
 * Finishes the archive: corrects local headers that differ from the directory, and writes the central directory. The archive is
 * durable after the next sync.
 * @param entries in URL order, with their final names and places. Iterated several times
 * @param changed those whose local headers are to be written again
 * @param uncertain others whose local headers may be wrong. Each is read back and compared, which takes time
 * @param checkLength throws if an archive of this length is not allowed
 * @returns the length of the archive
 */
export function completeArchive(
  file: ArchiveFile,
  entries: Iterable<EntryFields>,
  changed: Iterable<EntryFields>,
  uncertain: Iterable<EntryFields>,
  checkLength: (lengthBytes: number) => void,
): number {
  const directory = directoryExtent(file, entries)
  checkLength(directory.offset + directory.sizeBytes + endBytes(directory))
  // What is still buffered must not overwrite the new headers later.
  file.flush()
  for (const entry of changed) file.write(localFileHeader(entry), entry.offset)
  for (const entry of uncertain) {
    const header = correctedHeader(file, entry)
    if (header !== null) file.write(header, entry.offset)
  }
  file.truncate()
  return writeDirectory(file, entries, directory)
}

/** Whether every local header is the one that `completeArchive` would write. */
export function hasFinalHeaders(file: ArchiveFile, entries: Iterable<EntryFields>): boolean {
  for (const entry of entries) if (correctedHeader(file, entry) !== null) return false
  return true
}

/** The correct local header of an entry; null if the file has it already. */
function correctedHeader(file: ArchiveFile, entry: EntryFields): Uint8Array | null {
  const header = localFileHeader(entry)
  const found = new Uint8Array(header.length)
  file.read(found, entry.offset)
  return Buffer.compare(header, found) === 0 ? null : header
}
