// test group: long
import { test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { packBlock, type SmallBody } from '../../server/archive/block.ts'
import { completeArchive } from '../../server/archive/complete.ts'
import { ArchiveFile } from '../../server/archive/file.ts'
import { type EntryFields, localFileHeader, localHeaderBytes } from '../../server/archive/format.ts'
import { sha256 } from '../support/origin.ts'
import { expectListed, expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'

const encoder = new TextEncoder()
const FOUR_GIB = 0x100000000
const MODIFIED_AT_MS = Date.UTC(2025, 2, 4, 5, 6, 8)
const NO_LIMIT = () => {}

test.each([
  ['a body of 0xFFFFFFFE bytes and one after it, past 4 GiB', [FOUR_GIB - 2, 20]],
  // The large body is the last, because Info-ZIP's unzip takes such a size as a sign of a ZIP64 field in a later entry.
  ['a body of 0xFFFFFFFF bytes', [20, FOUR_GIB - 1]],
  ['a body of 4 GiB and one after it', [FOUR_GIB, 20]],
  ['bodies of 20 bytes, 5 GiB, 20 bytes, 3 GiB and 20 bytes', [20, 5 * 2 ** 30, 20, 3 * 2 ** 30, 20]],
  ['six bodies of 900 MiB, more than 5 GiB in total', Array.from({ length: 6 }, () => 900 * 2 ** 20)],
])('%s are listed with their full length by every reader', async (_what, sizes) => {
  using dir = tempDir()
  const path = dir.file('huge.zip')
  using file = ArchiveFile.open(path)
  const entries = sizes.map((sizeBytes, index) => placeZeros(file, `${index}.bin`, sizeBytes))
  await completeArchive(file, entries, [], [], NO_LIMIT)
  await expectListed(
    path,
    sizes.map((sizeBytes, index) => ({ name: `${index}.bin`, sizeBytes })),
  )
})

test('every reader reads 66,000 entries with their contents', async () => {
  using dir = tempDir()
  const path = dir.file('many.zip')
  const bodies = Array.from({ length: 66_000 }, (_, index) => smallBody(index))
  using file = ArchiveFile.open(path)
  const entries: EntryFields[] = []
  for (let at = 0; at < bodies.length; at += 64) {
    const block = bodies.slice(at, at + 64)
    const offsets = packBlock(file, block)
    for (const [index, { entry }] of block.entries()) {
      const offset = offsets[index]
      if (offset !== undefined) entries.push({ ...entry, offset })
    }
  }
  await completeArchive(file, entries, [], [], NO_LIMIT)
  await expectReadable(
    path,
    bodies.map(({ entry: { name, sizeBytes }, content }) => ({ name, sha256: sha256(content), sizeBytes })),
  )
})

/** Writes a valid entry of zeros, which are a hole in the file and use no disk space. */
function placeZeros(file: ArchiveFile, name: string, sizeBytes: number): EntryFields {
  const headerBytes = localHeaderBytes(Buffer.byteLength(name), sizeBytes, sizeBytes)
  const { offset } = file.allocate(headerBytes + sizeBytes)
  const entry: EntryFields = {
    name,
    method: 0,
    crc32: crc32OfZeros(sizeBytes),
    compressedBytes: sizeBytes,
    sizeBytes,
    modifiedAtMs: MODIFIED_AT_MS,
    offset,
    headerBytes,
  }
  file.write(localFileHeader(entry), offset)
  return entry
}

function smallBody(index: number): SmallBody {
  const name = `${index % 100}/file-${index}.txt`
  const content = encoder.encode(`body ${index}`)
  const sizeBytes = content.length
  const entry = {
    name,
    method: 0,
    crc32: crc32(content),
    compressedBytes: sizeBytes,
    sizeBytes,
    headerBytes: localHeaderBytes(Buffer.byteLength(name), sizeBytes, sizeBytes),
    modifiedAtMs: MODIFIED_AT_MS,
  } as const
  return { entry, content }
}

function crc32OfZeros(sizeBytes: number): number {
  let crc = 0
  for (let left = sizeBytes; left > 0; left -= ZEROS.length) crc = crc32(ZEROS.subarray(0, left), crc)
  return crc
}

const ZEROS = new Uint8Array(8 * 1024 * 1024)
