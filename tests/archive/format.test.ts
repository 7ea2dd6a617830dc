import { expect, test } from 'bun:test'
import {
  centralDirectoryHeader,
  centralHeaderBytes,
  endOfCentralDirectory,
  localFileHeader,
  NAME_ROOM_BYTES,
} from '../../server/archive/format.ts'
import {
  entryOf,
  FOUR_GIB,
  MODIFIED_AT_MS,
  NAME,
  readCentral,
  readLocal,
  UINT32_MAX,
  viewOf,
  zip64Values,
} from './read-records.ts'

test('a local header has no ZIP64 field up to a body of 0xFFFFFFFE bytes', () => {
  const header = readLocal(entryOf({ compressedBytes: UINT32_MAX - 1 }))
  expect(zip64Values(header.fields)).toBeNull()
  expect(header.sizeBytes).toBe(UINT32_MAX - 1)
  expect(header.compressedBytes).toBe(UINT32_MAX - 1)
  expect(header.versionNeeded).toBe(20)
})

test.each([UINT32_MAX, FOUR_GIB, 5 * FOUR_GIB])(
  'a local header of a body of %d bytes has both sizes in a ZIP64 field, and 0xFFFFFFFF in both size fields (APPNOTE 4.5.3)',
  (sizeBytes) => {
    const header = readLocal(entryOf({ compressedBytes: sizeBytes }))
    expect(zip64Values(header.fields)).toEqual([sizeBytes, sizeBytes])
    expect(header.sizeBytes).toBe(UINT32_MAX)
    expect(header.compressedBytes).toBe(UINT32_MAX)
    expect(header.versionNeeded).toBe(45)
  },
)

test('if only the uncompressed size overflows, a local header has both sizes in a ZIP64 field, the uncompressed size first', () => {
  const header = readLocal(entryOf({ method: 8, sizeBytes: FOUR_GIB + 1, compressedBytes: 7 }))
  expect(zip64Values(header.fields)).toEqual([FOUR_GIB + 1, 7])
})

test('a local header needs no ZIP64 field because of its offset, which it does not contain', () => {
  expect(zip64Values(readLocal(entryOf({ offset: 2 * FOUR_GIB })).fields)).toBeNull()
})

test('both headers of an entry need the same version (APPNOTE 4.4.3)', () => {
  for (const sizeBytes of [0, UINT32_MAX - 1, UINT32_MAX])
    for (const compressedBytes of [0, UINT32_MAX - 1, UINT32_MAX])
      for (const offset of [0, UINT32_MAX - 1, UINT32_MAX, 2 * FOUR_GIB]) {
        const entry = entryOf({ sizeBytes, compressedBytes, offset })
        const needed = Math.max(sizeBytes, compressedBytes, offset) >= UINT32_MAX ? 45 : 20
        expect([readLocal(entry).versionNeeded, readCentral(entry).versionNeeded]).toEqual([needed, needed])
      }
})

test.each([
  ['nothing', {}, null],
  ['sizes and offset of 0xFFFFFFFE', { compressedBytes: UINT32_MAX - 1, offset: UINT32_MAX - 1 }, null],
  ['the offset alone', { offset: UINT32_MAX }, [UINT32_MAX]],
  ['both sizes', { compressedBytes: UINT32_MAX }, [UINT32_MAX, UINT32_MAX]],
  ['the original size alone', { sizeBytes: FOUR_GIB, compressedBytes: 9 }, [FOUR_GIB]],
  [
    'the original size and the offset',
    { sizeBytes: FOUR_GIB, compressedBytes: 9, offset: UINT32_MAX },
    [FOUR_GIB, UINT32_MAX],
  ],
  [
    'all three',
    { sizeBytes: FOUR_GIB + 1, compressedBytes: FOUR_GIB + 2, offset: FOUR_GIB + 3 },
    [FOUR_GIB + 1, FOUR_GIB + 2, FOUR_GIB + 3],
  ],
] as const)(
  'the ZIP64 field of a directory header holds only the values that overflow: %s',
  (_what, fields, expected) => {
    const entry = entryOf(fields)
    const header = readCentral(entry)
    expect(zip64Values(header.fields)).toEqual(expected === null ? null : [...expected])
    expect(header.versionNeeded).toBe(expected === null ? 20 : 45)
    for (const field of ['sizeBytes', 'compressedBytes', 'offset'] as const)
      expect(header[field]).toBe(Math.min(entry[field], UINT32_MAX))
  },
)

test('the length of a directory header is known before it is written', () => {
  for (const sizeBytes of [0, UINT32_MAX - 1, UINT32_MAX, FOUR_GIB])
    for (const compressedBytes of [0, UINT32_MAX - 1, UINT32_MAX])
      for (const offset of [0, UINT32_MAX - 1, UINT32_MAX]) {
        const header = centralDirectoryHeader(entryOf({ sizeBytes, compressedBytes, offset }))
        expect(header.length).toBe(centralHeaderBytes(NAME.length, compressedBytes, sizeBytes, offset))
      }
})

test('both headers of an entry are equal, byte by byte, from the flags to the CRC-32', () => {
  const entry = entryOf({ method: 8, name: 'ä.bin' })
  expect(localFileHeader(entry).subarray(6, 18)).toEqual(centralDirectoryHeader(entry).subarray(8, 20))
})

test('the flags mark a name that is not ASCII as UTF-8, and never announce a data descriptor', () => {
  expect(readLocal(entryOf()).flags).toBe(0)
  const name = 'größe.bin'
  expect(readLocal(entryOf({ name })).flags).toBe(1 << 11)
  expect(readCentral(entryOf({ name })).flags).toBe(1 << 11)
})

test('an entry is a regular Unix file, writable by its owner and readable by everybody', () => {
  const { madeBy, attributes } = readCentral(entryOf())
  expect(madeBy >> 8).toBe(3)
  expect(attributes >>> 16).toBe(0o100644)
  expect(attributes & 0xffff).toBe(0)
})

test('both headers hold the time of an entry in seconds of UTC', () => {
  for (const { fields } of [readLocal(entryOf()), readCentral(entryOf())]) {
    const time = fields.find(({ id }) => id === 0x5455)
    expect(time?.bytes.byteLength).toBe(5)
    expect(time?.bytes.getUint8(0)).toBe(1)
    expect(time?.bytes.getUint32(1, true)).toBe(MODIFIED_AT_MS / 1000)
  }
})

test('a local header reserves room for a longer name in a field that readers skip, for any body length', () => {
  for (const sizeBytes of [10, FOUR_GIB]) {
    const likely = entryOf({ compressedBytes: sizeBytes })
    const longer = { ...likely, name: 'a (4999).bin' }
    for (const entry of [likely, longer]) {
      const { bytes, fields } = readLocal(entry)
      expect(bytes.length).toBe(likely.headerBytes)
      const padding = fields.at(-1)
      expect(padding?.id).toBe(0xd935)
      expect(4 + (padding?.bytes.byteLength ?? 0)).toBe(NAME_ROOM_BYTES - (entry.name.length - NAME.length))
    }
  }
})

test('the padding of a local header fills a gap of 59,999 bytes', () => {
  const entry = entryOf()
  const { bytes, fields } = readLocal({ ...entry, headerBytes: entry.headerBytes + 59_999 })
  expect(bytes.length).toBe(entry.headerBytes + 59_999)
  expect(fields.at(-1)?.bytes.byteLength).toBe(59_999 + NAME_ROOM_BYTES - 4)
})

test.each([0, 1, 65_534])('%d entries below 4 GiB need no ZIP64 records', (entries) => {
  const record = endOfCentralDirectory({ entries, offset: UINT32_MAX - 1, sizeBytes: UINT32_MAX - 1 })
  const view = viewOf(record)
  expect(record.length).toBe(22)
  expect(view.getUint32(0, true)).toBe(0x06054b50)
  expect([view.getUint16(8, true), view.getUint16(10, true)]).toEqual([entries, entries])
  expect([view.getUint32(12, true), view.getUint32(16, true)]).toEqual([UINT32_MAX - 1, UINT32_MAX - 1])
})

test.each([
  ['65,535 entries', { entries: 65_535, offset: 1_000, sizeBytes: 2_000 }],
  ['65,536 entries', { entries: 65_536, offset: 1_000, sizeBytes: 2_000 }],
  ['a directory that begins at 0xFFFFFFFF', { entries: 2, offset: UINT32_MAX, sizeBytes: 2_000 }],
  ['a directory that begins past 4 GiB', { entries: 2, offset: FOUR_GIB + 5, sizeBytes: 2_000 }],
  ['a directory of 4 GiB', { entries: 60_000_000, offset: 1_000, sizeBytes: FOUR_GIB }],
] as const)('%s need the ZIP64 end record and its locator (APPNOTE 4.3.14 and 4.3.15)', (_what, extent) => {
  const record = endOfCentralDirectory(extent)
  const { entries, offset, sizeBytes } = extent
  expect(record.length).toBe(56 + 20 + 22)

  const zip64 = viewOf(record, 0, 56)
  expect(zip64.getUint32(0, true)).toBe(0x06064b50)
  // The size of the record, without its signature and this field.
  expect(zip64.getBigUint64(4, true)).toBe(44n)
  expect(zip64.getUint16(14, true)).toBe(45)
  expect([zip64.getUint32(16, true), zip64.getUint32(20, true)]).toEqual([0, 0])
  const values = [24, 32, 40, 48].map((at) => Number(zip64.getBigUint64(at, true)))
  expect(values).toEqual([entries, entries, sizeBytes, offset])

  const locator = viewOf(record, 56, 20)
  expect(locator.getUint32(0, true)).toBe(0x07064b50)
  expect(locator.getUint32(4, true)).toBe(0)
  expect(Number(locator.getBigUint64(8, true))).toBe(offset + sizeBytes)
  expect(locator.getUint32(16, true)).toBe(1)

  // Fields that fit keep their values. Only fields that overflow refer to the ZIP64 record (4.4.1.4).
  const end = viewOf(record, 76, 22)
  expect(end.getUint32(0, true)).toBe(0x06054b50)
  expect(end.getUint16(10, true)).toBe(Math.min(entries, 0xffff))
  expect(end.getUint32(12, true)).toBe(Math.min(sizeBytes, UINT32_MAX))
  expect(end.getUint32(16, true)).toBe(Math.min(offset, UINT32_MAX))
})
