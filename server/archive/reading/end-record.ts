import { type ArchiveReader, readRange } from './reader.ts'
import { DIRECTORY_ENTRY_SIGNATURE, UINT32_MAX, uint64, viewAt } from './records.ts'

/** Where the central directory of any ZIP file is, as its end says. */
export interface EndRecord {
  readonly entries: number
  /** Where the directory is in the file. */
  readonly directoryOffset: number
  readonly directoryBytes: number
  /** What to add to every offset that the archive names: bytes were put before it, such as a program that unpacks it. */
  readonly shiftBytes: number
  /** Where the first of the end records begins. */
  readonly offset: number
  /** Where the archive ends, with its comment. */
  readonly endOffset: number
  /** Whether the archive has further files. */
  readonly isSplit: boolean
  /** Whether the ZIP64 record contradicts the other one, or can't be found where it should be. */
  readonly isZip64Wrong: boolean
}

/**
 * Finds the end of central directory record (APPNOTE 4.3.16) and the ZIP64 records before it (4.3.14, 4.3.15).
 * @returns null if there is none in the last 66 KB: the file is no ZIP, or its end is missing
 */
export async function findEndRecord(reader: ArchiveReader, sizeBytes: number): Promise<EndRecord | null> {
  const from = Math.max(
    0,
    sizeBytes - END_BYTES - MAX_COMMENT_BYTES - ZIP64_LOCATOR_BYTES - MAX_TRAILING_BYTES,
  )
  const tail = await readRange(reader, from, sizeBytes - from)
  const at = endRecordIn(tail)
  const view = at === null ? null : viewAt(tail, at, END_BYTES)
  if (at === null || view === null) return null
  const found: Extent = {
    entries: view.getUint16(10, true),
    sizeBytes: view.getUint32(12, true),
    offset: view.getUint32(16, true),
  }
  const zip64 = await findZip64(reader, tail, at, from)
  const extent = zip64?.extent ?? found
  const offset = zip64?.offset ?? from + at
  const directoryOffset = await directoryOffsetOf(reader, extent, offset)
  return {
    entries: extent.entries,
    directoryOffset,
    directoryBytes: extent.sizeBytes,
    shiftBytes: directoryOffset - extent.offset,
    offset,
    endOffset: from + at + END_BYTES + view.getUint16(20, true),
    isSplit: isSplit(view),
    isZip64Wrong: zip64 === null ? false : zip64.extent === null || contradicts(found, zip64.extent),
  }
}

/** The directory, as a record describes it. */
interface Extent {
  readonly entries: number
  readonly sizeBytes: number
  /** As the archive names it, without what was put before it. */
  readonly offset: number
}

/** The last record whose comment ends where the file does; else the last one at all. */
function endRecordIn(tail: Uint8Array): number | null {
  let last: number | null = null
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail[at] !== 0x50 || tail[at + 1] !== 0x4b || tail[at + 2] !== 5 || tail[at + 3] !== 6) continue
    const end = at + END_BYTES + (viewAt(tail, at, END_BYTES)?.getUint16(20, true) ?? 0)
    if (end === tail.length) return at
    if (end < tail.length) last ??= at
  }
  return last
}

/** Null without a locator. Its extent is null if the record can't be found. */
async function findZip64(
  reader: ArchiveReader,
  tail: Uint8Array,
  endAt: number,
  from: number,
): Promise<{ readonly extent: Extent | null; readonly offset: number } | null> {
  const locator = viewAt(tail, endAt - ZIP64_LOCATOR_BYTES, ZIP64_LOCATOR_BYTES)
  if (locator === null || locator.getUint32(0, true) !== ZIP64_LOCATOR_SIGNATURE) return null
  const locatorOffset = from + endAt - ZIP64_LOCATOR_BYTES
  // The second place is right when bytes were put before the archive.
  for (const offset of [locatorOffset - ZIP64_END_BYTES, uint64(locator, 8)]) {
    if (offset < 0 || offset + ZIP64_END_BYTES > locatorOffset) continue
    const record = viewAt(await readRange(reader, offset, ZIP64_END_BYTES), 0, ZIP64_END_BYTES)
    if (record === null || record.getUint32(0, true) !== ZIP64_END_SIGNATURE) continue
    const extent = { entries: uint64(record, 32), sizeBytes: uint64(record, 40), offset: uint64(record, 48) }
    return { extent, offset }
  }
  return { extent: null, offset: locatorOffset }
}

/** Right before the end records, or where these say it is, if it is there. */
async function directoryOffsetOf(
  reader: ArchiveReader,
  { entries, sizeBytes, offset }: Extent,
  endOffset: number,
): Promise<number> {
  const adjacent = endOffset - sizeBytes
  if (adjacent === offset || entries === 0) return adjacent < 0 ? offset : adjacent
  for (const place of [adjacent, offset]) {
    if (place < 0 || place + sizeBytes > endOffset) continue
    const start = viewAt(await readRange(reader, place, 4), 0, 4)
    if (start?.getUint32(0, true) === DIRECTORY_ENTRY_SIGNATURE) return place
  }
  return offset
}

function isSplit(view: DataView): boolean {
  const [disk, directoryDisk] = [view.getUint16(4, true), view.getUint16(6, true)]
  // 0xFFFF refers to the ZIP64 record.
  return [disk, directoryDisk].some((number) => number !== 0 && number !== UINT16_MAX)
}

/** A value that overflows says nothing. */
function contradicts(found: Extent, zip64: Extent): boolean {
  return (
    (found.entries !== UINT16_MAX && found.entries !== zip64.entries) ||
    (found.sizeBytes !== UINT32_MAX && found.sizeBytes !== zip64.sizeBytes) ||
    (found.offset !== UINT32_MAX && found.offset !== zip64.offset)
  )
}

const END_BYTES = 22
const ZIP64_END_BYTES = 56
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_END_SIGNATURE = 0x06064b50
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50
const MAX_COMMENT_BYTES = 0xffff
/** What others may have added after the archive. */
const MAX_TRAILING_BYTES = 0xffff
const UINT16_MAX = 0xffff
