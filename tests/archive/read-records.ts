import { expect } from 'bun:test'
import {
  centralDirectoryHeader,
  type EntryFields,
  localFileHeader,
  localHeaderBytes,
} from '../../server/archive/format.ts'

export const FOUR_GIB = 0x100000000
export const UINT32_MAX = 0xffffffff
export const NAME = 'a.bin'
export const MODIFIED_AT_MS = Date.UTC(2025, 2, 4, 5, 6, 8)

interface ExtraField {
  readonly id: number
  readonly bytes: DataView
}

/** The header fields of an entry that is never written, so that it may have any sizes and offset. */
export function entryOf(fields: Partial<EntryFields> = {}): EntryFields {
  const { name = NAME, compressedBytes = 10, sizeBytes = compressedBytes } = fields
  return {
    name,
    method: 0,
    crc32: 0x12345678,
    compressedBytes,
    sizeBytes,
    modifiedAtMs: MODIFIED_AT_MS,
    offset: 0,
    headerBytes: localHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes),
    ...fields,
  }
}

export function viewOf(bytes: Uint8Array, at = 0, lengthBytes = bytes.length - at): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + at, lengthBytes)
}

/** Reads extra fields: header ID, length and bytes (APPNOTE 4.5.1). Expects no bytes after the last one. */
function extraFields(extra: Uint8Array): ExtraField[] {
  const view = viewOf(extra)
  const fields: ExtraField[] = []
  let at = 0
  while (at < extra.length) {
    const lengthBytes = view.getUint16(at + 2, true)
    fields.push({ id: view.getUint16(at, true), bytes: viewOf(extra, at + 4, lengthBytes) })
    at += 4 + lengthBytes
  }
  expect(at).toBe(extra.length)
  return fields
}

export function readLocal(entry: EntryFields) {
  const bytes = localFileHeader(entry)
  const view = viewOf(bytes)
  const nameBytes = view.getUint16(26, true)
  expect(view.getUint32(0, true)).toBe(0x04034b50)
  expect(30 + nameBytes + view.getUint16(28, true)).toBe(bytes.length)
  return {
    bytes,
    versionNeeded: view.getUint16(4, true),
    flags: view.getUint16(6, true),
    crc32: view.getUint32(14, true),
    compressedBytes: view.getUint32(18, true),
    sizeBytes: view.getUint32(22, true),
    fields: extraFields(bytes.subarray(30 + nameBytes)),
  }
}

export function readCentral(entry: EntryFields) {
  const bytes = centralDirectoryHeader(entry)
  const view = viewOf(bytes)
  const nameBytes = view.getUint16(28, true)
  expect(view.getUint32(0, true)).toBe(0x02014b50)
  expect(46 + nameBytes + view.getUint16(30, true) + view.getUint16(32, true)).toBe(bytes.length)
  return {
    bytes,
    madeBy: view.getUint16(4, true),
    versionNeeded: view.getUint16(6, true),
    flags: view.getUint16(8, true),
    compressedBytes: view.getUint32(20, true),
    sizeBytes: view.getUint32(24, true),
    attributes: view.getUint32(38, true),
    offset: view.getUint32(42, true),
    fields: extraFields(bytes.subarray(46 + nameBytes)),
  }
}

/** The 64-bit values of the ZIP64 field, which must be the first field; null if there is none. */
export function zip64Values(fields: readonly ExtraField[]): number[] | null {
  expect(fields.slice(1).every(({ id }) => id !== 0x0001)).toBe(true)
  const [first] = fields
  if (first?.id !== 0x0001) return null
  expect(first.bytes.byteLength % 8).toBe(0)
  return Array.from({ length: first.bytes.byteLength / 8 }, (_, index) =>
    Number(first.bytes.getBigUint64(index * 8, true)),
  )
}
