import type { EndRecord } from '../reading/end-record.ts'
import { type ArchiveReader, readRange } from '../reading/reader.ts'
import { type DirectoryEntry, decodeName, FLAG, parseDirectoryEntry } from '../reading/records.ts'

/** An entry of the central directory. Its `offset` is that in the file. */
export interface ListedEntry extends DirectoryEntry {
  readonly name: string
  readonly isUtf8: boolean
}

/** The central directory of an archive, in memory as it is in the file, since it may have millions of entries. */
export interface Directory {
  readonly count: number
  /** By its number in the directory. */
  entry(number: number): ListedEntry
  /** Numbers in the order of the archive. Made anew for each call. */
  inArchiveOrder(): Uint32Array
  /** Whether all of it could be read: else something in it is no entry. */
  readonly isWhole: boolean
  /** Where its last entry ends. */
  readonly endOffset: number
}

/** @returns null if it is too long */
export async function readDirectory(reader: ArchiveReader, end: EndRecord): Promise<Directory | null> {
  if (end.directoryBytes > MAX_DIRECTORY_BYTES) return null
  const bytes = await readRange(reader, end.directoryOffset, end.directoryBytes)
  const starts: number[] = []
  const offsets: number[] = []
  let at = 0
  while (at < bytes.length) {
    const entry = parseDirectoryEntry(bytes, at)
    if (entry === null) break
    starts.push(at)
    offsets.push(entry.offset)
    at += entry.headerBytes
  }
  return {
    count: starts.length,
    entry(number) {
      const entry = parseDirectoryEntry(bytes, starts[number] ?? -1)
      if (entry === null) throw new RangeError(`there is no entry ${number}`)
      return { ...entry, ...decodeName(entry.nameBytes), offset: entry.offset + end.shiftBytes }
    },
    inArchiveOrder() {
      const order = Uint32Array.from(offsets, (_, index) => index)
      return order.sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0) || a - b)
    },
    isWhole: at === end.directoryBytes,
    endOffset: end.directoryOffset + at,
  }
}

export function isEncrypted({ flags, method }: ListedEntry): boolean {
  return (flags & ENCRYPTED_FLAGS) !== 0 || method === METHOD_AES
}

const ENCRYPTED_FLAGS = FLAG.encrypted | FLAG.strongEncryption | FLAG.masked
/** WinZip's encryption (APPNOTE 4.4.5). */
const METHOD_AES = 99
/** Some three million entries. */
const MAX_DIRECTORY_BYTES = 256 * 1024 * 1024
