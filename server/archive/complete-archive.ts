import type { ArchiveFile } from './archive-file.ts'
import { directoryBytes, hasDirectory, writeDirectory } from './directory.ts'
import { type EntryFields, localFileHeader } from './format.ts'

/** An entry as the directory will list it. */
export interface FinalEntry extends EntryFields {
  /** Whether its local header is known to be correct. If not, it is read back and compared, which takes time. */
  readonly isHeaderRight: boolean
}

/**
 * Extends each entry that follows a gap to the start of the gap: padding in its local header fills the gap.
 * @param entries with the allocated length of their local headers
 */
export function absorbGaps<T extends FinalEntry>(file: ArchiveFile, entries: readonly T[]): T[] {
  const gapsByEnd = new Map(file.gaps.map((gap) => [gap.offset + gap.lengthBytes, gap]))
  return entries.map((entry) => {
    const gap = gapsByEnd.get(entry.offset)
    if (gap === undefined) return entry
    const headerBytes = entry.headerBytes + gap.lengthBytes
    return { ...entry, offset: gap.offset, headerBytes, isHeaderRight: false }
  })
}

/**
 * Finishes the archive: corrects local headers that differ from the directory, and writes the central directory. The archive is
 * durable after the next sync.
 * @param entries in URL order, with their final names, as `absorbGaps` returned them
 * @param checkLength throws if an archive of this length is not allowed
 * @returns the length of the archive
 */
export function completeArchive(
  file: ArchiveFile,
  entries: readonly FinalEntry[],
  checkLength: (lengthBytes: number) => void,
): number {
  checkLength(file.endOffset + directoryBytes(file, entries))
  // Most names don't change at the end, so most headers are right and need no write.
  for (const { header, offset } of wrongHeaders(file, entries)) file.write(header, offset)
  file.truncate()
  return writeDirectory(file, entries)
}

/** Whether the file ends with the directory that `completeArchive` would write for these entries. */
export function hasFinalDirectory(file: ArchiveFile, entries: readonly FinalEntry[]): boolean {
  return hasDirectory(file, entries)
}

/** Whether every local header is the one that `completeArchive` would write. */
export function hasFinalHeaders(file: ArchiveFile, entries: readonly FinalEntry[]): boolean {
  return wrongHeaders(file, entries).next().done === true
}

/** The correct headers of the entries whose local headers in the file differ. */
function* wrongHeaders(
  file: ArchiveFile,
  entries: readonly FinalEntry[],
): Generator<{ readonly header: Uint8Array; readonly offset: number }> {
  for (const entry of entries) {
    if (entry.isHeaderRight) continue
    const header = localFileHeader(entry)
    const found = new Uint8Array(header.length)
    file.read(found, entry.offset)
    if (Buffer.compare(header, found) !== 0) yield { header, offset: entry.offset }
  }
}
