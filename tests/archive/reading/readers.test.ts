import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { LocalArchive } from '../../../server/archive/reading/local-archive.ts'
import { type ArchiveReader, readRange } from '../../../server/archive/reading/reader.ts'
import { inWindows } from '../../../server/archive/reading/windows.ts'
import { localContent } from '../../../server/archive-store/archive-content.ts'
import { tempDir } from '../../support/temp-dir.ts'

const BYTES = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 31) & 0xff)

test('a local file is read from any offset, and ends early at its end', async () => {
  using dir = tempDir()
  writeFileSync(dir.file('a.zip'), BYTES)
  using archive = LocalArchive.open(dir.file('a.zip')) ?? missing()
  for (const reader of [
    archive,
    localContent(dir.file('a.zip')),
    inWindows(archive),
    inWindows(archive, 999),
  ])
    for (const [offset, lengthBytes] of [
      [0, 0],
      [0, 1],
      [5, 700_000],
      [262_143, 2],
      [999_999, 10],
      [1_000_000, 10],
    ] as const)
      expect(
        Buffer.compare(
          await readRange(reader, offset, lengthBytes),
          BYTES.slice(offset, offset + lengthBytes),
        ),
      ).toBe(0)
})

test('a local file that is deleted is read to its end, and one that is not there can not be opened', async () => {
  using dir = tempDir()
  writeFileSync(dir.file('a.zip'), BYTES)
  using archive = LocalArchive.open(dir.file('a.zip')) ?? missing()
  rmSync(dir.file('a.zip'))
  expect(await readRange(archive, 0, 2_000_000)).toHaveLength(BYTES.length)
  expect(LocalArchive.open(dir.file('a.zip'))).toBeNull()
})

test("where the disk can't be read, a local file ends early", async () => {
  // To read the first page of the memory of a process is an EIO.
  using archive = LocalArchive.open('/proc/self/mem') ?? missing()
  expect(await readRange(archive, 0, 1000)).toHaveLength(0)
  using directory = LocalArchive.open('/proc') ?? missing()
  expect(await readRange(directory, 0, 1000)).toHaveLength(0)
})

test.each([
  ['short pieces', 10_000, 300, 1_000],
  ['pieces that are released', 40_000, 2_000, 4_000],
  ['pieces that somebody may hold', 120_000, 6_000, 12_000],
])(
  'windows of %s have the bytes of the archive, whatever is read in whatever order, in few reads of what follows each other',
  async (_, sizeBytes, pieceBytes, windowBytes) => {
    let reads = 0
    const bytes = new Uint8Array(sizeBytes).map((_, at) => (at * 7 + (at >> 8)) & 255)
    const reader: ArchiveReader = {
      async *pieces(offset, lengthBytes) {
        reads += 1
        for (let at = offset; at < Math.min(offset + lengthBytes, bytes.length); at += pieceBytes)
          yield bytes.slice(at, Math.min(at + pieceBytes, offset + lengthBytes))
      },
    }
    const range = fc.tuple(fc.nat(sizeBytes * 1.1), fc.nat(windowBytes * 2))
    await fc.assert(
      fc.asyncProperty(fc.array(range, { maxLength: 30 }), async (ranges) => {
        const windows = inWindows(reader, windowBytes)
        const found = await Promise.all(ranges.map(([offset, length]) => readRange(windows, offset, length)))
        for (const [index, [offset, length]] of ranges.entries())
          expect(Buffer.compare(found[index] ?? missing(), bytes.slice(offset, offset + length))).toBe(0)
      }),
    )
    reads = 0
    const windows = inWindows(reader, windowBytes)
    const step = windowBytes / 100
    for (let offset = 0; offset < bytes.length; offset += step) await readRange(windows, offset, step)
    expect(reads).toBe(10)
  },
)

function missing(): never {
  throw new Error('it is missing')
}
