import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { ArchiveFile } from '../../server/archive/file.ts'
import { readRange } from '../../server/archive/reading/reader.ts'
import { tempDir } from '../support/temp-dir.ts'

test('spaces are allocated one after another', () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  expect(file.allocate(10)).toEqual({ offset: 0, lengthBytes: 10 })
  expect(file.allocate(5)).toEqual({ offset: 10, lengthBytes: 5 })
  expect(file.endOffset).toBe(15)
})

test('the space of a failed body is reused, and the unused rest becomes a gap', () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  const first = file.allocate(100)
  file.allocate(50)
  file.release(first)
  expect(file.allocate(60)).toEqual({ offset: 0, lengthBytes: 60 })
  expect(file.gaps).toEqual([{ offset: 60, lengthBytes: 40 }])
  expect(file.allocate(41)).toEqual({ offset: 150, lengthBytes: 41 })
})

test('adjacent gaps are merged, and a gap at the end is removed', () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  const spaces = [10, 20, 30, 40].map((lengthBytes) => file.allocate(lengthBytes))
  const [first, second, , last] = spaces
  if (!first || !second || !last) throw new Error('a space is missing')
  file.release(second)
  file.release(first)
  expect(file.gaps).toEqual([{ offset: 0, lengthBytes: 30 }])
  file.release(last)
  expect(file.endOffset).toBe(60)
})

test('the spaces of an earlier run are taken, and the bytes between them are gaps', () => {
  using dir = tempDir()
  const taken = [
    { offset: 50, lengthBytes: 10 },
    { offset: 10, lengthBytes: 20 },
  ]
  using file = ArchiveFile.open(dir.file('a.part'), taken)
  expect(file.gaps).toEqual([
    { offset: 0, lengthBytes: 10 },
    { offset: 30, lengthBytes: 20 },
  ])
  expect(file.endOffset).toBe(60)
})

test('two entries that overlap are refused', () => {
  using dir = tempDir()
  const taken = [
    { offset: 0, lengthBytes: 11 },
    { offset: 10, lengthBytes: 20 },
  ]
  expect(() => ArchiveFile.open(dir.file('a.part'), taken)).toThrow('claim the same bytes')
})

test('many chunks are written one after another', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  const chunks = Array.from({ length: 3000 }, (_, index) => new Uint8Array([index & 0xff, index >> 8]))
  file.writeAll(chunks, 7)
  expect(Buffer.compare(await readRange(file, 7, 7000), Buffer.concat(chunks))).toBe(0)
  expect(file.unsyncedBytes).toBe(6000)
})

test('a sync with nothing new waits for the running sync', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  file.write(new Uint8Array(1_000_000), 0)
  let isDurable = false
  const first = file.sync().then(() => {
    isDurable = true
  })
  await file.sync()
  expect(isDurable).toBe(true)
  await first
})

test('small writes are buffered, and reading or syncing the file writes them first', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  const [first, second] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4, 5)]
  file.writeBuffered(second, 2)
  file.writeBuffered(first, 0)
  expect(statSync(dir.file('a.part')).size).toBe(0)
  expect([...(await readRange(file, 0, 6))]).toEqual([1, 2, 3, 4, 5])
  file.writeBuffered(Uint8Array.of(1, 2), 7)
  expect(file.fileBytes).toBe(9)
  file.writeBuffered(Uint8Array.of(3, 4, 5), 20)
  await file.sync()
  expect(statSync(dir.file('a.part')).size).toBe(23)
})

test('the memory of bytes is freed when they are written', () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  const [large, small] = [new Uint8Array(1024 * 1024), new Uint8Array(2000)]
  file.writeBuffered(large, 0)
  expect(large.buffer.byteLength).toBe(0)
  file.writeBuffered(small, large.length)
  expect(small.buffer.byteLength).toBe(2000)
  file.flush()
  expect(small.buffer.byteLength).toBe(0)
})

test('a flush that fails halfway keeps all buffered bytes, and the next one writes them', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  const body = Uint8Array.from({ length: 9000 }, (_, index) => (index * 7) & 0xff)
  // The first two become one write. The limit cuts the second write.
  const chunks = [body.slice(0, 3000), body.slice(3000, 6000), body.slice(7000)] as const
  file.writeBuffered(chunks[0], 0)
  file.writeBuffered(chunks[1], 3000)
  file.writeBuffered(chunks[2], 7000)
  {
    using _limit = limitFileSizes(8192)
    for (let tries = 0; tries < 2; tries++) expect(() => file.flush()).toThrow('EFBIG')
  }
  expect(chunks.map(({ length }) => length)).toEqual([3000, 3000, 2000])
  file.flush()
  expect(Buffer.compare(await readRange(file, 0, 9000), body.fill(0, 6000, 7000))).toBe(0)
})

/** Until it is disposed of, no file of this process can grow past this size. */
function limitFileSizes(sizeBytes: number): Disposable {
  const setLimit = (soft: number | 'unlimited') => {
    const { success } = Bun.spawnSync(['prlimit', '--pid', String(process.pid), `--fsize=${soft}:`])
    if (!success) throw new Error('prlimit failed')
  }
  // Without a listener this signal ends the process.
  const ignore = () => {}
  process.on('SIGXFSZ', ignore)
  setLimit(sizeBytes)
  return {
    [Symbol.dispose]() {
      setLimit('unlimited')
      process.off('SIGXFSZ', ignore)
    },
  }
}

test('large writes are not buffered', () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  file.writeBuffered(new Uint8Array(1024 * 1024), 0)
  expect(statSync(dir.file('a.part')).size).toBe(1024 * 1024)
})

test('buffered bytes of a space are written before the space is freed', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.part'))
  const space = file.allocate(2)
  file.allocate(1)
  file.writeBuffered(Uint8Array.of(1, 1), space.offset)
  file.release(space)
  file.write(Uint8Array.of(2, 2), file.allocate(2).offset)
  expect([...(await readRange(file, 0, 2))]).toEqual([2, 2])
})

test('each sync fails until the buffered bytes are written', async () => {
  using file = ArchiveFile.open('/dev/full')
  file.writeBuffered(Uint8Array.of(1), 0)
  for (let tries = 0; tries < 2; tries++) {
    const error = await file.sync().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
})
