/** The header fields that the ceiling writes: only what readers need (PKWARE's APPNOTE.TXT 6.3.10). */
export interface BareEntry {
  readonly name: Buffer
  /** 0 stored, 8 deflated. */
  readonly method: number
  readonly crc32: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  /** Below 4 GiB in all workloads. */
  readonly offset: number
}

export function localHeaderBytes({ name }: Pick<BareEntry, 'name'>): number {
  return LOCAL_BYTES + name.length
}

/** Local file header (4.3.7). */
export function localHeader(entry: BareEntry): Buffer {
  const record = Buffer.allocUnsafe(localHeaderBytes(entry))
  record.writeUInt32LE(0x04034b50, 0)
  writeSharedFields(record, entry, 4)
  entry.name.copy(record, LOCAL_BYTES)
  return record
}

/**
 * The central directory (4.3.12) and the end records, with ZIP64 (4.3.14 to 4.3.16) if a count or an offset needs it.
 */
export function directoryOf(entries: readonly BareEntry[], offset: number): Buffer {
  const directory = Buffer.concat(entries.map(centralHeader))
  const count = entries.length
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, 0xffff), 8)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(Math.min(offset, 0xffffffff), 16)
  if (count < 0xffff && offset < 0xffffffff) return Buffer.concat([directory, end])
  return Buffer.concat([directory, zip64End(count, directory.length, offset), end])
}

function centralHeader(entry: BareEntry): Buffer {
  const record = Buffer.alloc(CENTRAL_BYTES + entry.name.length)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(MADE_BY_UNIX, 4)
  writeSharedFields(record, entry, 6)
  record.writeUInt32LE(REGULAR_FILE_0644, 38)
  record.writeUInt32LE(entry.offset, 42)
  entry.name.copy(record, CENTRAL_BYTES)
  return record
}

/** The fields from the version to the length of the extra fields, which are the same in both headers. */
function writeSharedFields(record: Buffer, entry: BareEntry, at: number): void {
  record.writeUInt16LE(VERSION, at)
  record.writeUInt16LE(0, at + 2)
  record.writeUInt16LE(entry.method, at + 4)
  record.writeUInt32LE(FIRST_OF_1980, at + 6)
  record.writeUInt32LE(entry.crc32, at + 10)
  record.writeUInt32LE(entry.compressedBytes, at + 14)
  record.writeUInt32LE(entry.sizeBytes, at + 18)
  record.writeUInt16LE(entry.name.length, at + 22)
  record.writeUInt16LE(0, at + 24)
}

function zip64End(count: number, directoryBytes: number, offset: number): Buffer {
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(ZIP64_VERSION, 12)
  record.writeUInt16LE(ZIP64_VERSION, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(directoryBytes), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(offset + directoryBytes), 64)
  record.writeUInt32LE(1, 72)
  return record
}

const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const VERSION = 20
const ZIP64_VERSION = 45
const MADE_BY_UNIX = (3 << 8) | VERSION
const REGULAR_FILE_0644 = 0o100644 * 0x10000
/** The earliest date that a ZIP can hold, at midnight: time 0, date 1 January 1980. */
const FIRST_OF_1980 = 0x0021_0000
