/**
 * Reads the records of any ZIP file, after PKWARE's APPNOTE.TXT 6.3.10. Pure: values from bytes, and nothing of them is trusted.
 */

/** What a record says of an entry: its header in the central directory (APPNOTE 4.3.12), or its local header (4.3.7). */
interface HeaderFields {
  /** As in the file. */
  readonly nameBytes: Uint8Array
  readonly flags: number
  /** APPNOTE 4.4.5. */
  readonly method: number
  readonly crc32: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  /** Length of the record. */
  readonly headerBytes: number
}

export interface DirectoryEntry extends HeaderFields {
  /** Offset of the local header, as the directory says. */
  readonly offset: number
  /** The file type and mode, if the entry was made by Unix or macOS; else 0. */
  readonly unixMode: number
  /** Number of the disk with the local header. */
  readonly disk: number
}

export type LocalHeader = HeaderFields

/** The header of an entry in the central directory; null if there is none at `at`, or it is cut off. */
export function parseDirectoryEntry(bytes: Uint8Array, at: number): DirectoryEntry | null {
  const view = viewAt(bytes, at, DIRECTORY_ENTRY_BYTES)
  if (view === null || view.getUint32(0, true) !== DIRECTORY_ENTRY_SIGNATURE) return null
  const nameLength = view.getUint16(28, true)
  const extraLength = view.getUint16(30, true)
  const headerBytes = DIRECTORY_ENTRY_BYTES + nameLength + extraLength + view.getUint16(32, true)
  if (at + headerBytes > bytes.length) return null
  const nameAt = at + DIRECTORY_ENTRY_BYTES
  const zip64 = zip64Field(bytes.subarray(nameAt + nameLength, nameAt + nameLength + extraLength))
  const madeBy = view.getUint8(5)
  // APPNOTE 4.5.3: the field has only what overflows, in this order.
  const sizeBytes = zip64.next(view.getUint32(24, true))
  const compressedBytes = zip64.next(view.getUint32(20, true))
  const offset = zip64.next(view.getUint32(42, true))
  return {
    nameBytes: bytes.subarray(nameAt, nameAt + nameLength),
    flags: view.getUint16(8, true),
    method: view.getUint16(10, true),
    crc32: view.getUint32(16, true),
    compressedBytes,
    sizeBytes,
    offset,
    headerBytes,
    disk: view.getUint16(34, true),
    unixMode: madeBy === MADE_BY_UNIX || madeBy === MADE_BY_MACOS ? view.getUint16(40, true) : 0,
  }
}

/** How many bytes from its start a local header has; null if there is none. @param bytes at least its first 30 */
export function localHeaderLength(bytes: Uint8Array): number | null {
  const view = viewAt(bytes, 0, LOCAL_HEADER_BYTES)
  if (view === null || view.getUint32(0, true) !== LOCAL_HEADER_SIGNATURE) return null
  return LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
}

/** The local header of an entry at the start of the bytes; null if there is none, or it is cut off. */
export function parseLocalHeader(bytes: Uint8Array): LocalHeader | null {
  const headerBytes = localHeaderLength(bytes)
  const view = viewAt(bytes, 0, LOCAL_HEADER_BYTES)
  if (headerBytes === null || view === null || headerBytes > bytes.length) return null
  const nameEnd = LOCAL_HEADER_BYTES + view.getUint16(26, true)
  const zip64 = zip64Field(bytes.subarray(nameEnd, headerBytes))
  const sizeBytes = zip64.next(view.getUint32(22, true))
  const compressedBytes = zip64.next(view.getUint32(18, true))
  return {
    nameBytes: bytes.subarray(LOCAL_HEADER_BYTES, nameEnd),
    flags: view.getUint16(6, true),
    method: view.getUint16(8, true),
    crc32: view.getUint32(14, true),
    compressedBytes,
    sizeBytes,
    headerBytes,
  }
}

/**
 * The length of the data descriptor (APPNOTE 4.3.9) at the start of the bytes, if it says what the directory says; null if it does not.
 * With or without its signature, with sizes of 4 or of 8 bytes: programs write all four.
 */
export function descriptorLength(
  bytes: Uint8Array,
  { crc32, compressedBytes, sizeBytes }: Pick<HeaderFields, 'crc32' | 'compressedBytes' | 'sizeBytes'>,
): number | null {
  for (const [start, sizeLength] of [
    [4, 8],
    [4, 4],
    [0, 8],
    [0, 4],
  ] as const) {
    const lengthBytes = start + 4 + 2 * sizeLength
    const view = viewAt(bytes, 0, lengthBytes)
    if (view === null || (start === 4 && view.getUint32(0, true) !== DESCRIPTOR_SIGNATURE)) continue
    const sizeAt = (at: number) => (sizeLength === 8 ? uint64(view, at) : view.getUint32(at, true))
    const expected = (size: number) => (sizeLength === 8 ? size : size % 2 ** 32)
    const isRight =
      view.getUint32(start, true) === crc32 &&
      sizeAt(start + 4) === expected(compressedBytes) &&
      sizeAt(start + 4 + sizeLength) === expected(sizeBytes)
    if (isRight) return lengthBytes
  }
  return null
}

/** What a name must be decoded by: UTF-8 where it is that, else as Windows-1252, since old programs name no encoding. */
export function decodeName(nameBytes: Uint8Array): { readonly name: string; readonly isUtf8: boolean } {
  try {
    return { name: UTF8.decode(nameBytes), isUtf8: true }
  } catch {
    return { name: LATIN.decode(nameBytes), isUtf8: false }
  }
}

export function viewAt(bytes: Uint8Array, at: number, lengthBytes: number): DataView | null {
  return at < 0 || at + lengthBytes > bytes.length
    ? null
    : new DataView(bytes.buffer, bytes.byteOffset + at, lengthBytes)
}

/** A number beyond 2^53 loses its last digits: it is larger than any file. */
export function uint64(view: DataView, at: number): number {
  return view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true)
}

/** APPNOTE 4.4.4. */
export const FLAG = {
  encrypted: 1,
  descriptor: 1 << 3,
  strongEncryption: 1 << 6,
  utf8: 1 << 11,
  masked: 1 << 13,
}
export const LOCAL_HEADER_BYTES = 30
/** The longest data descriptor. */
export const MAX_DESCRIPTOR_BYTES = 24

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LATIN = new TextDecoder('windows-1252')
const LOCAL_HEADER_SIGNATURE = 0x04034b50
export const DIRECTORY_ENTRY_SIGNATURE = 0x02014b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
const DIRECTORY_ENTRY_BYTES = 46
export const UINT32_MAX = 0xffffffff
const MADE_BY_UNIX = 3
const MADE_BY_MACOS = 19
const FIELD_ZIP64 = 0x0001

/** Replaces each value that overflows by the next one of the ZIP64 field, if there is one (APPNOTE 4.5.3). */
function zip64Field(extra: Uint8Array): { next(value: number): number } {
  const field = extraField(extra, FIELD_ZIP64)
  let at = 0
  return {
    next(value) {
      const view = value === UINT32_MAX && field !== null ? viewAt(field, at, 8) : null
      if (view === null) return value
      at += 8
      return uint64(view, 0)
    },
  }
}

/** APPNOTE 4.5.1: header ID, length and bytes. */
function extraField(extra: Uint8Array, id: number): Uint8Array | null {
  for (let at = 0; ; ) {
    const view = viewAt(extra, at, 4)
    if (view === null) return null
    const lengthBytes = view.getUint16(2, true)
    if (view.getUint16(0, true) === id) return extra.subarray(at + 4, at + 4 + lengthBytes)
    at += 4 + lengthBytes
  }
}
