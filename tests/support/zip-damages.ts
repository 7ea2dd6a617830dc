import { crc32 } from 'node:zlib'
import type { EntryRecords, ZipRecords } from './zip-records.ts'

// The files of an archive that is damaged.
export const TEXT = 'files/text.txt'
export const NOISE = 'files/noise.bin'
/** Its name is as long as that of the noise. */
export const OTHER = 'files/other.bin'
export const UTF8 = 'files/sub/Übersicht.txt'
export const LINK = 'files/link'

export type ZipMaker = 'Info-ZIP' | '7-Zip' | 'Python' | 'libarchive' | 'Java' | 'Holdall'

/** Holdall writes files in the order in which they arrive, so what is beside a file is found by its records. */
type Expected = readonly string[] | ((records: ZipRecords) => readonly string[])

/** Changes an archive in place, or gives another one. */
type Damage = (zip: Buffer, records: ZipRecords) => Uint8Array | undefined

const invert = (zip: Buffer, at: number) => zip.writeUInt8(zip.readUInt8(at) ^ 0xff, at)
const flip = (zip: Buffer, at: number) => zip.writeUInt8(zip.readUInt8(at) ^ 0x10, at)
const without = (zip: Buffer, from: number, to: number) =>
  Buffer.concat([zip.subarray(0, from), zip.subarray(to)])

/** Fields of the local header and of the directory (APPNOTE 4.3.7, 4.3.12). */
const FIELDS = {
  flags: [6, 8],
  method: [8, 10],
  crc32: [14, 16],
  compressedBytes: [18, 20],
  sizeBytes: [22, 24],
} as const
type Field = keyof typeof FIELDS

const localField = ({ localAt }: EntryRecords, field: Field) => localAt + FIELDS[field][0]
const listedField = ({ listedAt }: EntryRecords, field: Field) => listedAt + FIELDS[field][1]
const inBoth = (entry: EntryRecords, field: Field) => [localField(entry, field), listedField(entry, field)]

function nameAfter(name: string, { inOrder }: ZipRecords): string | undefined {
  return inOrder[inOrder.findIndex((entry) => entry.name === name) + 1]?.name
}

function rename(zip: Buffer, { namesAt }: EntryRecords, name: string | Uint8Array): undefined {
  for (const at of namesAt) zip.set(Buffer.from(name), at)
}

/** Changes a body that is stored as it is, and the CRC-32 with it. */
function rewrite(zip: Buffer, entry: EntryRecords, at: number, bytes: Uint8Array): undefined {
  zip.set(bytes, entry.bodyAt + at)
  const sum = crc32(zip.subarray(entry.bodyAt, entry.bodyAt + entry.bodyBytes))
  for (const field of inBoth(entry, 'crc32')) zip.writeUInt32LE(sum, field)
}

/**
 * What can happen to an archive of each program, and what `holdall verify` must find: codes, with the file if it is about one.
 */
export const DAMAGES: readonly (readonly [ZipMaker, string, Damage, Expected])[] = [
  // Contents.
  [
    'Info-ZIP',
    'a bit of a compressed file',
    (zip, { entry }) => void flip(zip, entry(TEXT).bodyAt + 900),
    [`CONTENT_DAMAGED ${TEXT}`],
  ],
  [
    'Python',
    'a bit of a file that cannot be compressed',
    (zip, { entry }) => void flip(zip, entry(NOISE).bodyAt + 900),
    [`CONTENT_DAMAGED ${NOISE}`],
  ],
  [
    '7-Zip',
    'the first byte of a file',
    (zip, { entry }) => void invert(zip, entry(TEXT).bodyAt),
    [`CONTENT_DAMAGED ${TEXT}`],
  ],
  [
    'Java',
    'the last byte of a file',
    (zip, { entry }) => void invert(zip, entry(NOISE).bodyAt + entry(NOISE).bodyBytes - 1),
    [`CONTENT_DAMAGED ${NOISE}`],
  ],
  [
    'libarchive',
    'a page of zeros in a file',
    (zip, { entry }) => void zip.fill(0, entry(NOISE).bodyAt + 8192, entry(NOISE).bodyAt + 12_288),
    [`CONTENT_DAMAGED ${NOISE}`],
  ],
  [
    'Holdall',
    'two bytes that have changed places',
    (zip, { entry }) => void zip.subarray(entry(NOISE).bodyAt + 100, entry(NOISE).bodyAt + 102).swap16(),
    [`CONTENT_DAMAGED ${NOISE}`],
  ],
  [
    'Holdall',
    'a file that was changed with its CRC-32',
    (zip, { entry }) => rewrite(zip, entry(NOISE), 100, Buffer.from('forged')),
    [`CHECKSUM_DIFFERS ${NOISE}`],
  ],
  [
    'Info-ZIP',
    'a link that leads out of the folder',
    (zip, { entry }) => rewrite(zip, entry(LINK), 0, Buffer.from('../../etc')),
    [`UNSAFE_LINK ${LINK}`],
  ],

  // Bytes that are missing, or too many.
  ['Info-ZIP', 'the last byte is missing', (zip) => zip.subarray(0, -1), ['NOT_A_ZIP']],
  ['7-Zip', 'the second half is missing', (zip) => zip.subarray(0, zip.length / 2), ['NOT_A_ZIP']],
  ['Python', 'the record of its end is missing', (zip, { endAt }) => zip.subarray(0, endAt), ['NOT_A_ZIP']],
  ['Java', 'the first byte is missing', (zip) => zip.subarray(1), ['DIRECTORY_DAMAGED']],
  [
    'libarchive',
    'bytes are missing in the middle',
    (zip, { entry }) => without(zip, entry(NOISE).bodyAt + 100, entry(NOISE).bodyAt + 1100),
    ['DIRECTORY_DAMAGED'],
  ],
  [
    'Holdall',
    'bytes are doubled in the middle',
    (zip, { entry }) => {
      const at = entry(NOISE).bodyAt + 1100
      return Buffer.concat([zip.subarray(0, at), zip.subarray(at - 1000)])
    },
    ({ inOrder, entry }) => [
      ...inOrder
        .filter(({ localAt }) => localAt <= entry(NOISE).localAt)
        .map(({ name }) => `LOCAL_HEADER_MISSING ${name}`),
      'UNKNOWN_BYTES',
    ],
  ],
  [
    'libarchive',
    'bytes that follow its end',
    (zip) => Buffer.concat([zip, Buffer.from('<html>')]),
    ['UNKNOWN_BYTES'],
  ],
  [
    'Python',
    'a line break that follows its end',
    (zip) => Buffer.concat([zip, Buffer.from('\n')]),
    ['UNKNOWN_BYTES'],
  ],
  [
    'Info-ZIP',
    'zeros in place of the directory',
    (zip, { directoryAt, endAt }) => void zip.fill(0, directoryAt, endAt),
    ['DIRECTORY_DAMAGED', 'ENTRY_COUNT_DIFFERS'],
  ],

  // Local headers.
  [
    'Info-ZIP',
    'the signature of a local header',
    (zip, { entry }) => void flip(zip, entry(TEXT).localAt),
    [`LOCAL_HEADER_MISSING ${TEXT}`, 'UNKNOWN_BYTES'],
  ],
  [
    '7-Zip',
    'the name in a local header',
    (zip, { entry }) => void flip(zip, entry(TEXT).namesAt[0]),
    [`LOCAL_HEADER_DIFFERS ${TEXT}`],
  ],
  [
    'Python',
    'the method in a local header',
    (zip, { entry }) => void zip.writeUInt16LE(0, localField(entry(TEXT), 'method')),
    [`LOCAL_HEADER_DIFFERS ${TEXT}`],
  ],
  [
    'Info-ZIP',
    'the CRC-32 in a local header',
    (zip, { entry }) => void flip(zip, localField(entry(TEXT), 'crc32')),
    [`LOCAL_HEADER_DIFFERS ${TEXT}`],
  ],
  [
    '7-Zip',
    'the size in a local header',
    (zip, { entry }) => void flip(zip, localField(entry(NOISE), 'sizeBytes')),
    [`LOCAL_HEADER_DIFFERS ${NOISE}`],
  ],
  [
    'Java',
    'the flags in a local header, which call it encrypted',
    (zip, { entry }) => {
      const at = localField(entry(TEXT), 'flags')
      zip.writeUInt16LE(zip.readUInt16LE(at) | 1, at)
    },
    [`LOCAL_HEADER_DIFFERS ${TEXT}`],
  ],
  [
    'Holdall',
    'the length of a local header',
    (zip, { entry }) =>
      void zip.writeUInt16LE(zip.readUInt16LE(entry(TEXT).localAt + 28) + 4, entry(TEXT).localAt + 28),
    (records) => [`OVERLAP ${nameAfter(TEXT, records)}`, `CONTENT_DAMAGED ${TEXT}`],
  ],
  [
    'Java',
    'the CRC-32 after a file',
    (zip, { entry }) => void flip(zip, entry(TEXT).bodyAt + entry(TEXT).bodyBytes + 4),
    [`DESCRIPTOR_DIFFERS ${TEXT}`, 'UNKNOWN_BYTES'],
  ],
  [
    'libarchive',
    'the size after a file',
    (zip, { entry }) => void flip(zip, entry(TEXT).bodyAt + entry(TEXT).bodyBytes + 12),
    [`DESCRIPTOR_DIFFERS ${TEXT}`, 'UNKNOWN_BYTES'],
  ],

  // The directory.
  [
    'Java',
    'a CRC-32 in the directory',
    (zip, { entry }) => void flip(zip, listedField(entry(TEXT), 'crc32')),
    [`DESCRIPTOR_DIFFERS ${TEXT}`, 'UNKNOWN_BYTES', `CONTENT_DAMAGED ${TEXT}`],
  ],
  [
    'Holdall',
    'a size in the directory',
    (zip, { entry }) => void flip(zip, listedField(entry(NOISE), 'sizeBytes')),
    [`LOCAL_HEADER_DIFFERS ${NOISE}`, `CONTENT_DAMAGED ${NOISE}`],
  ],
  [
    'Holdall',
    'a compressed size that leads into the next file, in both headers',
    (zip, { entry }) => {
      for (const at of inBoth(entry(TEXT), 'compressedBytes'))
        zip.writeUInt32LE(zip.readUInt32LE(at) + 40, at)
    },
    (records) => [`OVERLAP ${nameAfter(TEXT, records)}`, `CONTENT_DAMAGED ${TEXT}`],
  ],
  [
    '7-Zip',
    'an offset that leads into a header',
    (zip, { entry }) => void zip.writeUInt32LE(entry(TEXT).localAt + 7, entry(TEXT).listedAt + 42),
    [`LOCAL_HEADER_MISSING ${TEXT}`, 'UNKNOWN_BYTES'],
  ],
  [
    'libarchive',
    'an offset that leads out of the file',
    (zip, { entry }) => void zip.writeUInt32LE(zip.length, entry(TEXT).listedAt + 42),
    [`OUTSIDE_OF_FILE ${TEXT}`, 'UNKNOWN_BYTES'],
  ],
  [
    'Python',
    'two files at one place',
    (zip, { entry }) => void zip.writeUInt32LE(entry(NOISE).localAt, entry(OTHER).listedAt + 42),
    [`OVERLAP ${OTHER}`, `LOCAL_HEADER_DIFFERS ${OTHER}`, 'UNKNOWN_BYTES'],
  ],
  [
    'Info-ZIP',
    'a name that leads out of the folder',
    (zip, { entry }) => rename(zip, entry(NOISE), '../../noise.bin'),
    ['UNSAFE_NAME ../../noise.bin'],
  ],
  [
    'libarchive',
    'a name from the root',
    (zip, { entry }) => rename(zip, entry(NOISE), '/iles/noise.bin'),
    ['UNSAFE_NAME /iles/noise.bin'],
  ],
  [
    'Java',
    'a name with a NUL',
    (zip, { entry }) => rename(zip, entry(NOISE), 'files/noise\0bin'),
    ['INVALID_NAME files/noise\0bin'],
  ],
  ['7-Zip', 'one name twice', (zip, { entry }) => rename(zip, entry(OTHER), NOISE), [`NAME_TWICE ${NOISE}`]],
  [
    'Python',
    'a name that is not UTF-8',
    (zip, { entry }) => rename(zip, entry(UTF8), Buffer.from('files/sub/\xffa', 'latin1')),
    ['INVALID_NAME files/sub/ÿabersicht.txt'],
  ],
  [
    'Holdall',
    'a file that was renamed',
    (zip, { entry }) => rename(zip, entry(NOISE), 'files/names.bin'),
    [`LISTED_FILE_MISSING ${NOISE}`],
  ],
  [
    'Python',
    'a file that is called encrypted',
    (zip, { entry }) => {
      for (const at of inBoth(entry(NOISE), 'flags')) zip.writeUInt16LE(1, at)
    },
    [`ENCRYPTED ${NOISE}`],
  ],
  [
    'Info-ZIP',
    'a file that is called compressed by bzip2',
    (zip, { entry }) => {
      for (const at of inBoth(entry(TEXT), 'method')) zip.writeUInt16LE(12, at)
    },
    [`METHOD_NOT_SUPPORTED ${TEXT}`],
  ],
  [
    'libarchive',
    'the signature of a header in the directory',
    (zip, { entry }) => void flip(zip, entry(NOISE).listedAt),
    ['DIRECTORY_DAMAGED', 'ENTRY_COUNT_DIFFERS', 'UNKNOWN_BYTES'],
  ],
  [
    'Holdall',
    'a file that was taken out of the directory',
    (zip, { directoryAt, directoryBytes, endAt, entry }) => {
      const { listedAt } = entry(OTHER)
      const next = zip.indexOf('PK\x01\x02', listedAt + 4, 'latin1')
      const left = without(zip, listedAt, next)
      const end = endAt - (next - listedAt)
      for (const field of [8, 10]) left.writeUInt16LE(left.readUInt16LE(end + field) - 1, end + field)
      left.writeUInt32LE(directoryBytes - (next - listedAt), end + 12)
      left.writeUInt32LE(directoryAt, end + 16)
      return left
    },
    [`LISTED_FILE_MISSING ${OTHER}`, 'UNKNOWN_BYTES'],
  ],

  // Its end.
  [
    'Info-ZIP',
    'the number of files in its end',
    (zip, { endAt }) => {
      for (const field of [8, 10]) zip.writeUInt16LE(zip.readUInt16LE(endAt + field) + 1, endAt + field)
    },
    ['ENTRY_COUNT_DIFFERS'],
  ],
  [
    '7-Zip',
    'the place of the directory in its end',
    (zip, { directoryAt, endAt }) => void zip.writeUInt32LE(directoryAt + 5, endAt + 16),
    ['DIRECTORY_DAMAGED'],
  ],
  [
    'Java',
    'the length of the directory in its end',
    (zip, { directoryBytes, endAt }) => void zip.writeUInt32LE(directoryBytes - 10, endAt + 12),
    ['DIRECTORY_DAMAGED', 'ENTRY_COUNT_DIFFERS', 'UNKNOWN_BYTES'],
  ],
  [
    'Python',
    'its end says that it is one of several files',
    (zip, { endAt }) => void zip.writeUInt16LE(1, endAt + 4),
    ['SPLIT_ARCHIVE'],
  ],
  [
    '7-Zip',
    'the length of its comment',
    (zip, { endAt }) => void zip.writeUInt16LE(5, endAt + 20),
    ['NOT_A_ZIP'],
  ],
]
