import type { ArchiveFile } from './archive-file.ts'
import { directoryBytes, hasDirectory, writeDirectory } from './directory.ts'
import { type EntryFields, localFileHeader } from './format.ts'

/**
 * Extends each entry that follows a gap to the start of the gap: padding in its local header fills the gap.
 * @param entries with the allocated length of their local headers
 * @returns the same objects for all entries that stay as they are
 */
export function absorbGaps<T extends EntryFields>(file: ArchiveFile, entries: readonly T[]): T[] {
  const gapsByEnd = new Map(file.gaps.map((gap) => [gap.offset + gap.lengthBytes, gap]))
  return entries.map((entry) => {
    const gap = gapsByEnd.get(entry.offset)
    if (gap === undefined) return entry
    const headerBytes = entry.headerBytes + gap.lengthBytes
    return { ...entry, offset: gap.offset, headerBytes }
  })
}

/**
 * Finishes the archive: corrects local headers that differ from the directory, and writes the central directory. The archive is
 * durable after the next sync.
 * @param entries in URL order, with their final names, as `absorbGaps` returned them
 * @param isHeaderRight whether the local header of an entry is known to be correct. If not, it is read back and compared, which
 * takes time
 * @param checkLength throws if an archive of this length is not allowed
 * @returns the length of the archive
 */
export function completeArchive<T extends EntryFields>(
  file: ArchiveFile,
  entries: readonly T[],
  isHeaderRight: (entry: T) => boolean,
  checkLength: (lengthBytes: number) => void,
): number {
  checkLength(file.endOffset + directoryBytes(file, entries))
  // Most names don't change at the end, so most headers are right and need no write.
  for (const entry of entries) {
    const header = isHeaderRight(entry) ? null : correctedHeader(file, entry)
    if (header !== null) file.write(header, entry.offset)
  }
  file.truncate()
  return writeDirectory(file, entries)
}

/** Whether the file ends with the directory that `completeArchive` would write for these entries. */
export function hasFinalDirectory(file: ArchiveFile, entries: readonly EntryFields[]): boolean {
  return hasDirectory(file, entries)
}

/** Whether every local header is the one that `completeArchive` would write. */
export function hasFinalHeaders(file: ArchiveFile, entries: readonly EntryFields[]): boolean {
  return entries.every((entry) => correctedHeader(file, entry) === null)
}

/** The correct local header of an entry; null if the file has it already. */
function correctedHeader(file: ArchiveFile, entry: EntryFields): Uint8Array | null {
  const header = localFileHeader(entry)
  const found = new Uint8Array(header.length)
  file.read(found, entry.offset)
  return Buffer.compare(header, found) === 0 ? null : header
}
