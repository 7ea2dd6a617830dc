import { releaseMemory } from '../../bytes.ts'
import type { EndRecord } from '../reading/end-record.ts'
import { type ArchiveReader, readRange } from '../reading/reader.ts'
import { type DirectoryEntry, decodeName, FLAG, parseDirectoryEntry } from '../reading/records.ts'
import { inWindows } from '../reading/windows.ts'
import { orderOf } from './order.ts'

/** An entry of the central directory. Its `offset` is that in the file. */
export interface ListedEntry extends DirectoryEntry {
  readonly name: string
  readonly isUtf8: boolean
}

/**
 * The central directory of an archive. It may have millions of entries, so they are read anew each time, and only where each begins is
 * kept in memory.
 */
export interface Directory {
  readonly count: number
  /** In its own order, in batches. */
  entries(): AsyncGenerator<readonly ListedEntry[], void>
  /** By its number in the directory. */
  entry(number: number): Promise<ListedEntry>
  /** Numbers in the order of the archive. */
  inArchiveOrder(): Iterable<number>
  /** Whether all of it could be read: else something in it is no entry. */
  readonly isWhole: boolean
}

/** @returns null if it is too long */
export async function readDirectory(reader: ArchiveReader, end: EndRecord): Promise<Directory | null> {
  if (end.directoryBytes > MAX_DIRECTORY_BYTES) return null
  // Memory that nothing is written to is not taken.
  const mostEntries = Math.ceil(end.directoryBytes / LEAST_ENTRY_BYTES)
  const starts = new Uint32Array(mostEntries + 1)
  const offsets = new Float64Array(mostEntries)
  let count = 0
  let at = 0
  for await (const batch of parsedEntries(reader, end)) {
    for (const { offset, headerBytes } of batch) {
      offsets[count] = offset
      at += headerBytes
      starts[++count] = at
    }
  }
  const order = orderOf(offsets.subarray(0, count))
  releaseMemory(new Uint8Array(offsets.buffer))
  const windows = inWindows(reader, WINDOW_BYTES)
  return {
    count,
    async *entries() {
      for await (const batch of parsedEntries(reader, end)) yield batch.map((entry) => listed(entry, end))
    },
    async entry(number) {
      const [start = 0, next = 0] = starts.subarray(number, number + 2)
      const entry = parseDirectoryEntry(
        await readRange(windows, end.directoryOffset + start, next - start),
        0,
      )
      if (entry === null) throw new RangeError(`there is no entry ${number}`)
      return listed(entry, end)
    },
    *inArchiveOrder() {
      for (let place = 0; place < count; place++) yield order?.[place] ?? place
    },
    isWhole: at === end.directoryBytes,
  }
}

export function isEncrypted({ flags, method }: ListedEntry): boolean {
  return (flags & ENCRYPTED_FLAGS) !== 0 || method === METHOD_AES
}

/** Up to the first bytes that are no entry. A batch must not be used after the next one was asked for. */
async function* parsedEntries(
  reader: ArchiveReader,
  { directoryOffset, directoryBytes }: EndRecord,
): AsyncGenerator<readonly DirectoryEntry[], void> {
  let buffer = new Uint8Array(0)
  /** How many bytes at the start of the buffer are the beginning of an entry whose end has not been read. */
  let restBytes = 0
  for await (const piece of reader.pieces(directoryOffset, directoryBytes)) {
    const end = restBytes + piece.length
    if (end > buffer.length) {
      const longer = new Uint8Array(end + MOST_ENTRY_BYTES)
      longer.set(buffer.subarray(0, restBytes))
      buffer = longer
    }
    buffer.set(piece, restBytes)
    releaseMemory(piece)
    const bytes = buffer.subarray(0, end)
    const batch: DirectoryEntry[] = []
    let at = 0
    for (;;) {
      const entry = parseDirectoryEntry(bytes, at)
      if (entry === null) break
      batch.push(entry)
      at += entry.headerBytes
    }
    yield batch
    buffer.copyWithin(0, at, end)
    restBytes = end - at
    if (restBytes > MOST_ENTRY_BYTES) return
  }
}

/** An entry may be kept for longer than the bytes that it was read from. */
function listed(entry: DirectoryEntry, { shiftBytes }: EndRecord): ListedEntry {
  const nameBytes = entry.nameBytes.slice()
  return { ...entry, ...decodeName(nameBytes), nameBytes, offset: entry.offset + shiftBytes }
}

const ENCRYPTED_FLAGS = FLAG.encrypted | FLAG.strongEncryption | FLAG.masked
/** WinZip's encryption (APPNOTE 4.4.5). */
const METHOD_AES = 99
/** Some one and a half million entries. With the shortest names, there are twice as many, and each takes 20 bytes of memory. */
const MAX_DIRECTORY_BYTES = 128 * 1024 * 1024
/** APPNOTE 4.3.12: all but the name, the extra field and the comment, each of up to 65,535 bytes. */
const LEAST_ENTRY_BYTES = 46
const MOST_ENTRY_BYTES = LEAST_ENTRY_BYTES + 3 * 0xffff
/** Some hundred entries. An archive may list its entries in any order, and then each is read alone. */
const WINDOW_BYTES = 16 * 1024
