import { expect, test } from 'bun:test'
import { ArchiveFile } from '../../../server/archive/file.ts'
import type { CheckpointChange } from '../../../server/engine/checkpoint/checkpoint.ts'
import { Checkpointer } from '../../../server/engine/checkpoint/checkpointer.ts'
import { storedEntryAt } from '../../support/stored-entry.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** What is committed of entries of these sizes, if the job ends before the interval of the checkpoint does. */
async function committedOf(...sizesBytes: number[]): Promise<number[]> {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.zip.part'), [])
  const changes: CheckpointChange[] = []
  {
    await using checkpointer = new Checkpointer(
      file,
      { entries: [], settledBytes: 0 },
      async (committed) => void changes.push(...committed),
      fail,
    )
    for (const [position, sizeBytes] of sizesBytes.entries()) {
      const { offset } = file.allocate(sizeBytes)
      file.write(new Uint8Array(sizeBytes), offset)
      checkpointer.put(storedEntryAt(position, offset, sizeBytes))
    }
  }
  return changes.map((change) => (change.kind === 'put' ? change.entry.position : Number.NaN))
}

const MEBIBYTE = 1024 * 1024

test('Packed entries are committed as soon as they have 64 MiB, however small they are', async () => {
  expect(await committedOf(...Array.from({ length: 64 }, () => MEBIBYTE))).toEqual(
    Array.from({ length: 64 }, (_, position) => position),
  )
})

test('Packed entries are committed as soon as they are 4,096, however few bytes they have', async () => {
  expect(await committedOf(...Array.from({ length: 4_096 }, () => 1))).toEqual(
    Array.from({ length: 4_096 }, (_, position) => position),
  )
})

test('Fewer entries of fewer bytes wait for the interval, so that many share one sync', async () => {
  expect(await committedOf(MEBIBYTE, MEBIBYTE)).toEqual([])
})

test('Nothing is committed after a batch that could not be: its rows would describe what is not there', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.zip.part'), [])
  let isDiskFull = true
  const committed: CheckpointChange[] = []
  const commit = async (changes: readonly CheckpointChange[]) => {
    if (isDiskFull) throw new Error('the disk is full')
    committed.push(...changes)
  }
  // If a sync takes a second, the interval brings a batch, too, which can be committed no more than the others.
  const ignore = () => {}
  await using checkpointer = new Checkpointer(file, { entries: [], settledBytes: 0 }, commit, ignore)
  for (const position of [0, 1]) {
    const { offset } = file.allocate(100)
    file.write(new Uint8Array(100), offset)
    checkpointer.put(storedEntryAt(position, offset, 100))
    await expect(checkpointer.flush()).rejects.toThrow('the disk is full')
    isDiskFull = false
  }
  await expect(checkpointer.relocate(new Map([[1, 500]]))).rejects.toThrow('the disk is full')
  const move = { from: 0, to: 100, by: 1, movedBytes: 0, copyOffset: 0, copyBytes: 0 }
  await expect(checkpointer.moved(move)).rejects.toThrow('the disk is full')
  await expect(checkpointer.ended(move)).rejects.toThrow('the disk is full')
  expect(committed).toEqual([])
})

test('An entry that can be sent is committed at once if it is large, or the first that a client waits for', async () => {
  for (const { canSettle, isAwaited, settledBytes, sizeBytes, committed } of [
    { canSettle: true, isAwaited: false, settledBytes: 0, sizeBytes: 33 * MEBIBYTE, committed: [0] },
    { canSettle: false, isAwaited: true, settledBytes: 0, sizeBytes: 33 * MEBIBYTE, committed: [] },
    { canSettle: true, isAwaited: false, settledBytes: 0, sizeBytes: MEBIBYTE, committed: [] },
    { canSettle: true, isAwaited: true, settledBytes: 0, sizeBytes: MEBIBYTE, committed: [0] },
    { canSettle: false, isAwaited: true, settledBytes: 0, sizeBytes: MEBIBYTE, committed: [] },
    { canSettle: true, isAwaited: true, settledBytes: 500, sizeBytes: MEBIBYTE, committed: [] },
  ]) {
    using dir = tempDir()
    using file = ArchiveFile.open(dir.file('a.zip.part'), [])
    const changes: CheckpointChange[] = []
    {
      await using checkpointer = new Checkpointer(
        file,
        { entries: [], settledBytes },
        async (batch) => void changes.push(...batch),
        fail,
      )
      const settling = {
        changed() {},
        dropped() {},
        canSettle: () => canSettle,
        settleMore() {},
        closeGap: () => null,
      }
      checkpointer.settleWith(settling, () => isAwaited)
      checkpointer.put(storedEntryAt(0, 0, sizeBytes))
    }
    expect(changes.map((change) => change.kind === 'put' && change.entry.position)).toEqual(committed)
  }
})

test('Whole entries are in URL order, whatever order they arrive in, and dropped ones are gone', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.zip.part'), [])
  await using checkpointer = new Checkpointer(file, { entries: [], settledBytes: 0 }, async () => {}, fail)
  for (const position of [30, 4, 200, 1]) checkpointer.put(storedEntryAt(position, position * 1000, 500))
  checkpointer.put({ status: 'failed', position: 7, part: null, error: 'HTTP 404', warning: null })
  await checkpointer.drop(4)
  expect(checkpointer.known.stored().map(({ position }) => position)).toEqual([1, 30, 200])
  expect(checkpointer.known.failedCount()).toBe(1)
  expect(checkpointer.known.entry(4)).toBeUndefined()
})

test('Local headers of entries that have moved, or that an earlier run has written, are uncertain', async () => {
  using dir = tempDir()
  using file = ArchiveFile.open(dir.file('a.zip.part'), [])
  const known = [storedEntryAt(0, 0, 500), storedEntryAt(1, 500, 500)]
  await using checkpointer = new Checkpointer(file, { entries: known, settledBytes: 0 }, async () => {}, fail)
  for (const position of [1, 2, 3, 4])
    checkpointer.put(storedEntryAt(position, 10_000 + position * 1000, 500))
  expect([...checkpointer.known.uncertainPositions()]).toEqual([0])
  await checkpointer.commitOffsets(new Map([[2, 1000]]))
  const move = { from: 13_000, to: 13_500, by: 500, movedBytes: 500, copyOffset: 0, copyBytes: 0 }
  await checkpointer.ended(move)
  expect([...checkpointer.known.uncertainPositions()].sort()).toEqual([0, 2, 3])
  expect(checkpointer.known.stored().map(({ offset }) => offset)).toEqual([0, 11_000, 1000, 12_500, 14_000])
})

function fail(error: unknown): void {
  throw error
}
