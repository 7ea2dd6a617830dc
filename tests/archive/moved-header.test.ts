import { expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { completeArchive } from '../../server/archive/complete.ts'
import { ArchiveFile } from '../../server/archive/file.ts'
import { type EntryFields, localFileHeader, localHeaderBytes } from '../../server/archive/format.ts'
import { readRange } from '../../server/archive/reading/reader.ts'
import { expectListed } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'

const CONTENT = new TextEncoder().encode('content')
const FIVE_GIB = 5 * 2 ** 30

test('an entry that moves from past 4 GiB to the front needs the same version in both headers', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.zip'), [{ offset: 0, lengthBytes: 1 }])
  const headerBytes = localHeaderBytes('a.txt'.length, CONTENT.length, CONTENT.length)
  const far: EntryFields = {
    name: 'a.txt',
    method: 0,
    crc32: crc32(CONTENT),
    compressedBytes: CONTENT.length,
    sizeBytes: CONTENT.length,
    modifiedAtMs: 0,
    offset: FIVE_GIB,
    headerBytes,
  }
  file.write(localFileHeader(far), far.offset)
  file.write(CONTENT, far.offset + headerBytes)
  const lengthBytes = headerBytes + CONTENT.length
  await file.copyWithin(far.offset, 0, lengthBytes, new AbortController().signal)
  file.setTaken([{ offset: 0, lengthBytes }])
  expect(await versionAt(file, 0)).toBe(45)
  const entry = { ...far, offset: 0 }
  await completeArchive(file, [entry], [], [entry], () => {})
  expect(await versionAt(file, 0)).toBe(20)
  await expectListed(dir.file('a.zip'), [{ name: 'a.txt', sizeBytes: CONTENT.length }])
})

async function versionAt(file: ArchiveFile, offset: number): Promise<number> {
  const [version = 0] = await readRange(file, offset + 4, 1)
  return version
}
