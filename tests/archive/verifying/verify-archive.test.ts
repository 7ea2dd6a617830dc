import { describe, expect, test } from 'bun:test'
import { deflateRawSync } from 'node:zlib'
import type { ArchiveReader } from '../../../server/archive/reading/reader.ts'
import { NATIVE_CODECS } from '../../../server/archive/reading/verify.ts'
import { checkBodies } from '../../../server/archive/verifying/bodies.ts'
import type { RemarkCode } from '../../../server/archive/verifying/findings.ts'
import { verifyArchive } from '../../../server/archive/verifying/verify-archive.ts'
import { type BuiltArchive, type BuiltEntry, buildZip, numbers } from '../../support/built-zip.ts'
import { processorSecondsUntil } from '../../support/hostile-input.ts'
import { sha256 } from '../../support/sha256.ts'

function readerOf(bytes: Uint8Array<ArrayBuffer>): ArchiveReader {
  return {
    async *pieces(offset, lengthBytes) {
      if (lengthBytes > 0 && offset < bytes.length) yield bytes.slice(offset, offset + lengthBytes)
    },
  }
}

async function verified(bytes: Uint8Array<ArrayBuffer>) {
  const reader = readerOf(bytes)
  const result = await verifyArchive(reader, bytes.length, {
    codecs: NATIVE_CODECS,
    checker: { parallel: 2, check: (batch, read) => checkBodies(reader, batch, NATIVE_CODECS, read) },
    signal: new AbortController().signal,
    progress: () => {},
  })
  return {
    ...result,
    codes: result.findings.findings.map(({ code, entry }) => (entry === null ? code : `${code} ${entry}`)),
    remarks: result.findings.remarks.map(({ code }) => code),
  }
}

const A: BuiltEntry = { name: 'a.txt', content: 'some text, some text, some text', method: 8 }
const B: BuiltEntry = { name: 'folder/b.bin', content: Buffer.alloc(5000, 'bytes') }
const ZEROS = new Uint8Array(40)
const CODE = Buffer.from('#!/bin/sh\nunzip "$0"\n')

const listOf = (...files: readonly BuiltEntry[]) =>
  files.map(({ name, content = '' }) => `${sha256(Buffer.from(content))}  ${name}\n`).join('')
const SOURCES: BuiltEntry = { name: 'sources.jsonl', content: '{"name":"a.txt"}\n' }
const SUMS: BuiltEntry = { name: 'SHA256SUMS', content: listOf(A, B, SOURCES) }
/** Extra fields of 8 bytes per value (APPNOTE 4.5.3). */
const zip64Extra = (...values: readonly number[]) =>
  Buffer.concat([numbers([1, 2], [8 * values.length, 2]), ...values.map((value) => numbers([value, 8]))])

describe('An archive is right', () => {
  test.each<[string, readonly BuiltEntry[], BuiltArchive?, (readonly RemarkCode[])?]>([
    ['that is empty', []],
    ['with deflated and stored files', [A, B]],
    ['with a comment', [A, B], { comment: 'made by hand' }],
    ['with names in UTF-8', [{ ...A, name: 'Übersicht 漢字.txt' }]],
    ['with names in an old encoding', [{ ...A, name: Uint8Array.of(0x81, 0x62, 0x63) }]],
    ['with folders', [{ name: 'folder/', mode: 0o40755 }, B]],
    ['with data descriptors', [{ ...A, descriptor: 'signed' }, B]],
    ['with data descriptors without signature', [{ ...A, descriptor: 'unsigned' }, B]],
    ['with data descriptors of ZIP64', [{ ...A, descriptor: 'zip64', localExtra: zip64Extra(0, 0) }, B]],
    [
      'as macOS makes it: data descriptors, other extra fields in the local header, __MACOSX',
      [
        {
          ...A,
          descriptor: 'signed',
          localExtra: numbers([0x7855, 2], [4, 2], [501, 2], [20, 2]),
          centralExtra: numbers([0x7855, 2], [0, 2]),
        },
        { name: '__MACOSX/', mode: 0o40755 },
        { name: '__MACOSX/._a.txt', content: Buffer.alloc(163, 'Mac OS X'), method: 8, descriptor: 'signed' },
      ],
    ],
    ['with a ZIP64 end record', [A, B], { zip64: {} }],
    [
      'with ZIP64 fields that nothing needs',
      [
        {
          ...B,
          local: { compressedBytes: 0xffffffff, sizeBytes: 0xffffffff },
          localExtra: zip64Extra(5000, 5000),
          central: { compressedBytes: 0xffffffff, sizeBytes: 0xffffffff },
          centralExtra: zip64Extra(5000, 5000),
        },
      ],
    ],
    ['behind a program, with offsets in the file', [A, B], { prefix: CODE }, ['BYTES_BEFORE']],
    [
      'behind a program, with its own offsets',
      [A, B],
      { prefix: CODE, countsPrefix: false },
      ['BYTES_BEFORE'],
    ],
    [
      'behind a program, with ZIP64',
      [A, B],
      { prefix: CODE, countsPrefix: false, zip64: {} },
      ['BYTES_BEFORE'],
    ],
    ['with padding between files', [A, { ...B, before: ZEROS }], {}, ['PADDING']],
    ['with padding before the directory', [A, B], { beforeDirectory: ZEROS }, ['PADDING']],
    ['with padding at its end, as from a tape', [A, B], { after: ZEROS }, ['BYTES_AFTER']],
    [
      'with a file of a high ratio',
      [{ name: 'zeros', content: new Uint8Array(3_000_000), method: 8 }],
      {},
      ['HIGH_RATIO'],
    ],
    ['with a link in its folder', [A, { name: 'folder/link', content: '../a.txt', mode: 0o120777 }]],
    ['with a list of checksums', [A, B, SOURCES, SUMS]],
    [
      'with a list of checksums by another program',
      [A, B, { ...SUMS, content: listOf(A, B).replaceAll('  ', ' *./') }],
    ],
    ['with a file that its list leaves out', [A, B, { ...SUMS, content: listOf(A) }], {}, ['NOT_LISTED']],
  ])('%s', async (_, entries, archive = {}, remarks = []) => {
    const result = await verified(buildZip(entries, archive))
    expect(result.codes).toEqual([])
    expect(result.remarks).toEqual([...remarks])
    expect(result.entryCount).toBe(entries.length)
  })
})

const whole = buildZip([A, B])
const flipped = (bytes: Uint8Array<ArrayBuffer>, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 0x10)
const packedA = deflateRawSync(Buffer.from(String(A.content)))

describe('An archive is damaged', () => {
  test.each<[string, Uint8Array<ArrayBuffer>, readonly string[]]>([
    ['nothing at all', new Uint8Array(0), ['NOT_A_ZIP']],
    ['some other file', new Uint8Array(Buffer.from('%PDF-1.7 is no ZIP')), ['NOT_A_ZIP']],
    ['its last byte is missing', whole.slice(0, -1), ['NOT_A_ZIP']],
    ['its last half is missing', whole.slice(0, whole.length / 2), ['NOT_A_ZIP']],
    ['its first bytes are missing', whole.slice(100), ['DIRECTORY_DAMAGED']],
    ['a bit of a stored file', flipped(whole, 1000), ['CONTENT_DAMAGED folder/b.bin']],
    ['a bit of a deflated file', flipped(whole, 40), ['CONTENT_DAMAGED a.txt']],
    ['a bit of a signature of a local header', flipped(whole, 0), ['LOCAL_HEADER_MISSING a.txt']],
    ['a bit of a name in a local header', flipped(whole, 31), ['LOCAL_HEADER_DIFFERS a.txt']],
    [
      'a CRC-32 in the directory',
      buildZip([{ ...A, central: { crc32: 1 } }, B]),
      ['LOCAL_HEADER_DIFFERS a.txt', 'CONTENT_DAMAGED a.txt'],
    ],
    [
      'a CRC-32 in the local header',
      buildZip([{ ...A, local: { crc32: 1 } }, B]),
      ['LOCAL_HEADER_DIFFERS a.txt'],
    ],
    [
      'the same wrong CRC-32 in both',
      buildZip([{ ...A, local: { crc32: 1 }, central: { crc32: 1 } }]),
      ['CONTENT_DAMAGED a.txt'],
    ],
    [
      'a size in both that is too small',
      buildZip([{ ...A, local: { sizeBytes: 9 }, central: { sizeBytes: 9 } }]),
      ['CONTENT_DAMAGED a.txt'],
    ],
    [
      'a size in both that is too large',
      buildZip([{ ...A, local: { sizeBytes: 99 }, central: { sizeBytes: 99 } }]),
      ['CONTENT_DAMAGED a.txt'],
    ],
    [
      'a compressed size that leads into the next file',
      buildZip([{ ...A, local: { compressedBytes: 60 }, central: { compressedBytes: 60 } }, B]),
      ['OVERLAP folder/b.bin', 'CONTENT_DAMAGED a.txt'],
    ],
    [
      'a compressed size that leads out of the file',
      buildZip([A, { ...B, local: { compressedBytes: 99_999 }, central: { compressedBytes: 99_999 } }]),
      ['OUTSIDE_OF_FILE folder/b.bin', 'UNKNOWN_BYTES'],
    ],
    [
      'an offset that leads out of the file',
      buildZip([A, { ...B, central: { offset: 99_999 } }]),
      ['OUTSIDE_OF_FILE folder/b.bin', 'UNKNOWN_BYTES'],
    ],
    [
      'two files at one place',
      buildZip([A, { ...A, name: 'c.txt', central: { offset: 0 } }]),
      ['OVERLAP c.txt', 'LOCAL_HEADER_DIFFERS c.txt', 'UNKNOWN_BYTES'],
    ],
    [
      'a file inside of another',
      buildZip([
        { name: 'outer', content: buildZip([A]) },
        { ...A, central: { offset: 35 } },
      ]),
      ['OVERLAP a.txt', 'UNKNOWN_BYTES'],
    ],
    [
      'another method in the local header',
      buildZip([{ ...A, local: { method: 0 } }]),
      ['LOCAL_HEADER_DIFFERS a.txt'],
    ],
    [
      'encrypted in one header alone',
      buildZip([{ ...A, local: { flags: 1 } }]),
      ['LOCAL_HEADER_DIFFERS a.txt'],
    ],
    [
      'what is not DEFLATE',
      buildZip([{ ...A, packed: Buffer.from('this is not deflated') }]),
      ['CONTENT_DAMAGED a.txt'],
    ],
    [
      'DEFLATE that is cut off',
      buildZip([{ ...A, packed: packedA.subarray(0, -3) }]),
      ['CONTENT_DAMAGED a.txt'],
    ],
    [
      'bytes hidden after DEFLATE',
      buildZip([{ ...A, packed: Buffer.concat([packedA, CODE]) }]),
      ['CONTENT_DAMAGED a.txt'],
    ],
    [
      'a data descriptor that is wrong',
      buildZip([{ ...A, descriptor: 'wrong' }]),
      ['DESCRIPTOR_DIFFERS a.txt', 'UNKNOWN_BYTES'],
    ],
    ['bytes between files', buildZip([A, { ...B, before: CODE }]), ['UNKNOWN_BYTES']],
    ['bytes before the directory', buildZip([A, B], { beforeDirectory: CODE }), ['UNKNOWN_BYTES']],
    ['bytes after the directory', buildZip([A, B], { beforeEnd: CODE }), ['UNKNOWN_BYTES']],
    ['bytes after the end', buildZip([A, B], { after: CODE }), ['UNKNOWN_BYTES']],
    ['fewer files than its end says', buildZip([A, B], { end: { entries: 3 } }), ['ENTRY_COUNT_DIFFERS']],
    ['more files than its end says', buildZip([A, B], { end: { entries: 1 } }), ['ENTRY_COUNT_DIFFERS']],
    [
      'a directory that lies elsewhere',
      buildZip([A, B], { end: { directoryOffset: 999_999 } }),
      ['DIRECTORY_DAMAGED'],
    ],
    [
      'a directory that is longer than the file',
      buildZip([A, B], { end: { directoryBytes: 999_999 } }),
      ['DIRECTORY_DAMAGED'],
    ],
    [
      'a header in the directory',
      buildZip([A, { ...B, central: { signature: 7 } }]),
      ['DIRECTORY_DAMAGED', 'ENTRY_COUNT_DIFFERS', 'UNKNOWN_BYTES'],
    ],
    ['a count in the ZIP64 record', buildZip([A, B], { zip64: { entries: 5 } }), ['ENTRY_COUNT_DIFFERS']],
    ['one of several files', buildZip([A, B], { end: { disk: 2 } }), ['SPLIT_ARCHIVE']],
    ['a name that leads to the parent', buildZip([{ ...A, name: '../a.txt' }]), ['UNSAFE_NAME ../a.txt']],
    [
      'a name that leads there later',
      buildZip([{ ...A, name: 'a/b/../../../c' }]),
      ['UNSAFE_NAME a/b/../../../c'],
    ],
    ['an absolute name', buildZip([{ ...A, name: '/etc/passwd' }]), ['UNSAFE_NAME /etc/passwd']],
    ['a name on a drive', buildZip([{ ...A, name: 'C:evil.exe' }]), ['UNSAFE_NAME C:evil.exe']],
    [
      'a name for Windows that leads to the parent',
      buildZip([{ ...A, name: 'a\\..\\..\\b' }]),
      ['UNSAFE_NAME a\\..\\..\\b'],
    ],
    ['a name with a NUL', buildZip([{ ...A, name: 'a.txt\0.exe' }]), ['INVALID_NAME a.txt\0.exe']],
    ['no name', buildZip([{ ...A, name: '' }]), ['INVALID_NAME ']],
    [
      'a name that is not UTF-8',
      buildZip([{ ...A, name: Uint8Array.of(0x61, 0xff), flags: 1 << 11 }]),
      ['INVALID_NAME aÿ'],
    ],
    ['one name twice', buildZip([A, A]), ['NAME_TWICE a.txt']],
    ['a folder with content', buildZip([{ ...A, name: 'folder/' }]), ['FOLDER_WITH_CONTENT folder/']],
    [
      'a link that leads out',
      buildZip([{ name: 'link', content: '../../etc', mode: 0o120777 }]),
      ['UNSAFE_LINK link'],
    ],
    [
      'a link to an absolute place',
      buildZip([{ name: 'link', content: '/etc/passwd', mode: 0o120777 }]),
      ['UNSAFE_LINK link'],
    ],
    ['an encrypted file', buildZip([{ ...A, flags: 1 }, B]), ['ENCRYPTED a.txt']],
    ["a file with WinZip's encryption", buildZip([{ ...A, method: 99 }, B]), ['ENCRYPTED a.txt']],
    ['a file in bzip2', buildZip([{ ...A, method: 12 }, B]), ['METHOD_NOT_SUPPORTED a.txt']],
    ['a file in Zstandard', buildZip([{ ...A, method: 93 }, B]), ['METHOD_NOT_SUPPORTED a.txt']],
    ['a file in a method of nobody', buildZip([{ ...A, method: 77 }, B]), ['METHOD_NOT_SUPPORTED a.txt']],
    [
      'a file that differs from its checksum',
      buildZip([{ ...A, content: 'another' }, B, SOURCES, SUMS]),
      ['CHECKSUM_DIFFERS a.txt'],
    ],
    ['a file that is listed and missing', buildZip([A, SOURCES, SUMS]), ['LISTED_FILE_MISSING folder/b.bin']],
    [
      'a list that is damaged',
      buildZip([A, { ...SUMS, content: `${listOf(A)}no digest\n` }]),
      ['LIST_DAMAGED SHA256SUMS'],
    ],
  ])('%s', async (_, bytes, codes) => {
    expect((await verified(bytes)).codes).toEqual([...codes])
  })

  test('The list of checksums is the last one that lists sources.jsonl', async () => {
    const own = { ...SUMS, content: listOf({ name: 'elsewhere.iso', content: '' }) }
    const numbered = { ...SUMS, name: 'SHA256SUMS (2)', content: listOf(A, own, SOURCES) }
    const later = { ...own, name: 'SHA256SUMS (3)' }
    const result = await verified(buildZip([A, own, later, SOURCES, numbered]))
    expect(result.codes).toEqual([])
    expect(result.checksums).toEqual({ name: 'SHA256SUMS (2)', checkedCount: 3 })
  })

  test('Every sentence ends, and names no entry itself', async () => {
    const { findings } = await verified(
      buildZip([
        { ...A, flags: 1 },
        { ...A, name: '../b' },
      ]),
    )
    for (const { message } of findings.findings) expect(message).toMatch(/^[A-Z][^\n]*\.$/)
  })

  test('A bomb of overlapping files is not unpacked', async () => {
    const content = new Uint8Array(2_000_000)
    const kernel: BuiltEntry = { name: 'kernel', content, method: 8 }
    const copies = Array.from({ length: 2000 }, (_, index) => ({
      ...A,
      name: `${index}`,
      central: { offset: 0 },
    }))
    const zip = buildZip([kernel, ...copies])
    const seconds = await processorSecondsUntil(async () => {
      const result = await verified(zip)
      expect(result.findings.findingCount).toBeGreaterThan(2000)
      expect(result.findings.findings).toHaveLength(1000)
    })
    expect(seconds).toBeLessThan(5)
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'Whatever bits differ, it is judged and not thrown, %d',
    async (seed) => {
      const bytes = buildZip([A, B, SOURCES, SUMS], { zip64: {} })
      for (let round = 0; round < 100; round++) {
        const at = (seed * 7919 + round * 104_729) % bytes.length
        const { findings } = await verified(bytes.with(at, (bytes[at] ?? 0) ^ (1 << (round % 8))))
        expect(findings.findingCount).toBeGreaterThanOrEqual(0)
      }
    },
  )
})
