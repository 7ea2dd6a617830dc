// server/decisions/archive-file.md says why ZIP64 stands only where a value overflows.

/** The records of a ZIP file, field by field, after PKWARE's APPNOTE.TXT 6.3.10. Pure: bytes from values. */

import { dosDateTime } from './dos-date-time.ts'
import { RecordWriter } from './record-writer.ts'

/** The fields of the local file header and the central directory header of one entry. */
export interface EntryFields {
  /** `/` between folders. */
  readonly name: string
  /** APPNOTE 4.4.5: 0 stored, 8 deflated. */
  readonly method: 0 | 8
  readonly crc32: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  /** Milliseconds since the epoch. */
  readonly modifiedAtMs: number
  /** Offset of the local file header in the archive. */
  readonly offset: number
  /** Length of the local file header with its name, extra fields and padding. */
  readonly headerBytes: number
}

/**
 * Bytes that a local header reserves after the likely name: at most 12 for the number of a duplicate, and 4 for the header of
 * the padding field.
 */
export const NAME_ROOM_BYTES = 16

/** The most padding of a local header: the length of all extra fields must fit into 16 bits (APPNOTE 4.4.11). */
export const MAX_PADDING_BYTES = 60_000

/** Length of the local header for an entry with this likely name, fixed when its space is allocated. */
export function localHeaderBytes(
  likelyNameBytes: number,
  compressedBytes: number,
  sizeBytes: number,
): number {
  return (
    LOCAL_HEADER_BYTES +
    likelyNameBytes +
    NAME_ROOM_BYTES +
    TIMESTAMP_FIELD_BYTES +
    (isZip64Body(compressedBytes, sizeBytes) ? LOCAL_ZIP64_FIELD_BYTES : 0)
  )
}

/** Length of an entry's header in the central directory. */
export function centralHeaderBytes(
  nameBytes: number,
  compressedBytes: number,
  sizeBytes: number,
  offset: number,
): number {
  const overflowing =
    Number(compressedBytes >= UINT32_MAX) + Number(sizeBytes >= UINT32_MAX) + Number(offset >= UINT32_MAX)
  return (
    CENTRAL_HEADER_BYTES + nameBytes + TIMESTAMP_FIELD_BYTES + (overflowing === 0 ? 0 : 4 + 8 * overflowing)
  )
}

/**
 * Local file header (APPNOTE 4.3.7) of `headerBytes`, without data descriptor, padded to its end. A ZIP64 field here holds both
 * sizes and nothing else, and only when one of them overflows (4.5.3). The version needed is that of the directory (4.4.3): an
 * entry whose offset overflows needs ZIP64, too, although the field is in the directory only.
 */
export function localFileHeader(entry: EntryFields): Uint8Array {
  const record = new RecordWriter(entry.headerBytes)
  const isZip64 = isZip64Body(entry.compressedBytes, entry.sizeBytes)
  const nameBytes = Buffer.byteLength(entry.name)
  record.uint32(0x04034b50)
  record.uint16(versionNeeded(entry))
  writeSharedFields(record, entry, nameBytes)
  record.uint32(isZip64 ? UINT32_MAX : entry.compressedBytes)
  record.uint32(isZip64 ? UINT32_MAX : entry.sizeBytes)
  record.uint16(nameBytes)
  record.uint16(entry.headerBytes - LOCAL_HEADER_BYTES - nameBytes)
  record.text(entry.name, nameBytes)
  if (isZip64) {
    record.uint16(FIELD_ZIP64)
    record.uint16(16)
    record.uint64(entry.sizeBytes)
    record.uint64(entry.compressedBytes)
  }
  writeTimestampField(record, entry.modifiedAtMs)
  writePaddingField(record)
  return record.finish()
}

/**
 * Central directory header (APPNOTE 4.3.12) of `centralHeaderBytes`. Made by Unix with mode 0644: Info-ZIP's unzip
 * warns on UTF-8 names of entries made by FAT. A ZIP64 field holds only what overflows, in the order of 4.5.3.
 */
export function centralDirectoryHeader(entry: EntryFields): Uint8Array {
  const { name, sizeBytes, compressedBytes, offset } = entry
  const nameBytes = Buffer.byteLength(name)
  const lengthBytes = centralHeaderBytes(nameBytes, compressedBytes, sizeBytes, offset)
  const zip64Bytes = lengthBytes - CENTRAL_HEADER_BYTES - nameBytes - TIMESTAMP_FIELD_BYTES
  const version = versionNeeded(entry)
  const record = new RecordWriter(lengthBytes)
  record.uint32(0x02014b50)
  record.uint16((MADE_BY_UNIX << 8) | version)
  record.uint16(version)
  writeSharedFields(record, entry, nameBytes)
  record.uint32(Math.min(compressedBytes, UINT32_MAX))
  record.uint32(Math.min(sizeBytes, UINT32_MAX))
  record.uint16(nameBytes)
  record.uint16(lengthBytes - CENTRAL_HEADER_BYTES - nameBytes)
  record.uint16(0) // file comment length
  record.uint16(0) // disk number start
  record.uint16(0) // internal file attributes
  record.uint32(MODE_REGULAR_0644 * 0x10000)
  record.uint32(Math.min(offset, UINT32_MAX))
  record.text(name, nameBytes)
  if (zip64Bytes > 0) {
    record.uint16(FIELD_ZIP64)
    record.uint16(zip64Bytes - 4)
    if (sizeBytes >= UINT32_MAX) record.uint64(sizeBytes)
    if (compressedBytes >= UINT32_MAX) record.uint64(compressedBytes)
    if (offset >= UINT32_MAX) record.uint64(offset)
  }
  writeTimestampField(record, entry.modifiedAtMs)
  return record.finish()
}

/**
 * The end of the archive: the end of central directory record (APPNOTE 4.3.16), preceded by the ZIP64 record and its locator
 * (4.3.14, 4.3.15) if one of its fields overflows.
 */
export function endOfCentralDirectory(directory: DirectoryExtent): Uint8Array {
  const { entries, offset, sizeBytes } = directory
  const isZip64 = isZip64Directory(directory)
  const record = new RecordWriter(endBytes(directory))
  if (isZip64) {
    record.uint32(0x06064b50)
    record.uint64(ZIP64_END_BYTES - 12)
    record.uint16((MADE_BY_UNIX << 8) | VERSION_ZIP64)
    record.uint16(VERSION_ZIP64)
    record.uint32(0) // number of this disk
    record.uint32(0) // disk with the start of the directory
    record.uint64(entries)
    record.uint64(entries)
    record.uint64(sizeBytes)
    record.uint64(offset)
    record.uint32(0x07064b50)
    record.uint32(0) // disk with the ZIP64 end record
    record.uint64(offset + sizeBytes)
    record.uint32(1) // total number of disks
  }
  record.uint32(0x06054b50)
  record.uint16(0) // number of this disk
  record.uint16(0) // disk with the start of the directory
  record.uint16(Math.min(entries, UINT16_MAX))
  record.uint16(Math.min(entries, UINT16_MAX))
  record.uint32(Math.min(sizeBytes, UINT32_MAX))
  record.uint32(Math.min(offset, UINT32_MAX))
  record.uint16(0) // comment length
  return record.finish()
}

/** Length of the result of `endOfCentralDirectory`. */
export function endBytes(directory: DirectoryExtent): number {
  return (isZip64Directory(directory) ? ZIP64_END_BYTES + ZIP64_LOCATOR_BYTES : 0) + END_BYTES
}

/** Location and length of the central directory. */
export interface DirectoryExtent {
  readonly entries: number
  readonly offset: number
  readonly sizeBytes: number
}

const UINT16_MAX = 0xffff
const UINT32_MAX = 0xffffffff
const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER_BYTES = 46
/** Length of the end record of an archive that needs no ZIP64. */
export const END_BYTES = 22
const ZIP64_END_BYTES = 56
const ZIP64_LOCATOR_BYTES = 20
const LOCAL_ZIP64_FIELD_BYTES = 4 + 16
const TIMESTAMP_FIELD_BYTES = 4 + 5
/** APPNOTE 4.4.3.2: 2.0 for DEFLATE and folders, 4.5 for ZIP64. */
const VERSION_DEFAULT = 20
const VERSION_ZIP64 = 45
const MADE_BY_UNIX = 3
const MODE_REGULAR_0644 = 0o100644
/** APPNOTE 4.4.4: the name is UTF-8. */
const FLAG_UTF8 = 1 << 11
const FIELD_ZIP64 = 0x0001
/** Info-ZIP's extended timestamp, in UTC: DOS time has no time zone. */
const FIELD_TIMESTAMP = 0x5455
/** The padding field that zipalign writes. Readers skip it as unknown. */
const FIELD_PADDING = 0xd935

function versionNeeded({ compressedBytes, sizeBytes, offset }: EntryFields): number {
  return isZip64Body(compressedBytes, sizeBytes) || offset >= UINT32_MAX ? VERSION_ZIP64 : VERSION_DEFAULT
}

function isZip64Body(compressedBytes: number, sizeBytes: number): boolean {
  return compressedBytes >= UINT32_MAX || sizeBytes >= UINT32_MAX
}

function isZip64Directory({ entries, offset, sizeBytes }: DirectoryExtent): boolean {
  return entries >= UINT16_MAX || offset >= UINT32_MAX || sizeBytes >= UINT32_MAX
}

/** The fields from the general purpose flag to the CRC-32, equal in both headers. */
function writeSharedFields(record: RecordWriter, entry: EntryFields, nameBytes: number): void {
  const { date, time } = dosDateTime(entry.modifiedAtMs)
  // In UTF-8, a text has as many bytes as UTF-16 units only if it is ASCII.
  record.uint16(nameBytes === entry.name.length ? 0 : FLAG_UTF8)
  record.uint16(entry.method)
  record.uint16(time)
  record.uint16(date)
  record.uint32(entry.crc32)
}

/** Modification time only: then the field is the same in local header and directory. */
function writeTimestampField(record: RecordWriter, modifiedAtMs: number): void {
  const seconds = Math.floor(modifiedAtMs / 1000)
  record.uint16(FIELD_TIMESTAMP)
  record.uint16(5)
  record.uint8(1)
  record.uint32(Math.min(Math.max(seconds, 0), 0x7fffffff))
}

/** Fills the rest of the record with zeros. */
function writePaddingField(record: RecordWriter): void {
  const rest = record.remainingBytes
  if (rest === 0) return
  if (rest < 4) throw new RangeError(`a padding field can't be ${rest} bytes long`)
  record.uint16(FIELD_PADDING)
  record.uint16(rest - 4)
  record.zeros(rest - 4)
}
