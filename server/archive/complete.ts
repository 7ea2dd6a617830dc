import { directoryExtent, writeDirectory } from './directory.ts'
import type { ArchiveFile, Space } from './file.ts'
import { type EntryFields, endBytes, localFileHeader } from './format.ts'
import { type ArchiveReader, readRange } from './reading/reader.ts'
import { inWindows } from './reading/windows.ts'

/**
 * Finds the gap that ends where an entry begins. The entry can absorb it: it then begins where the gap does, and padding in its
 * local header fills the gap.
 */
export function gapsBeforeEntries(file: Pick<ArchiveFile, 'gaps'>): (offset: number) => Space | undefined {
  const gapsByEnd = new Map(file.gaps.map((gap) => [gap.offset + gap.lengthBytes, gap]))
  return (offset) => gapsByEnd.get(offset)
}

/**
 * Finishes the archive: corrects local headers that differ from the directory, and writes the central directory. The archive is
 * durable after the next sync.
 * @param entries in URL order, with their final names and places
 * @param changed those whose local headers are to be written again
 * @param uncertain others whose local headers may be wrong. Each is read back and compared: one read per entry
 * @param checkLength throws if an archive of this length is not allowed
 * @returns the length of the archive
 */
export async function completeArchive(
  file: ArchiveFile,
  entries: readonly EntryFields[],
  changed: readonly EntryFields[],
  uncertain: readonly EntryFields[],
  checkLength: (lengthBytes: number) => void,
): Promise<number> {
  const directory = directoryExtent(file, entries)
  checkLength(directory.offset + directory.sizeBytes + endBytes(directory))
  // What is still buffered must not overwrite the new headers later.
  file.flush()
  for (const entry of changed) file.write(localFileHeader(entry), entry.offset)
  const reader = inWindows(file)
  for (const entry of uncertain) {
    if (!(await hasHeader(reader, entry))) file.write(localFileHeader(entry), entry.offset)
  }
  file.truncate()
  return writeDirectory(file, entries, directory)
}

/** Whether every local header is the one that `completeArchive` would write. */
export async function hasFinalHeaders(file: ArchiveFile, entries: readonly EntryFields[]): Promise<boolean> {
  const reader = inWindows(file)
  for (const entry of entries) if (!(await hasHeader(reader, entry))) return false
  return true
}

/** Whether an entry has its local header: other bytes there are damage, or the header of another entry. */
export async function hasHeader(reader: ArchiveReader, entry: EntryFields): Promise<boolean> {
  const header = localFileHeader(entry)
  return Buffer.compare(await readRange(reader, entry.offset, header.length), header) === 0
}
