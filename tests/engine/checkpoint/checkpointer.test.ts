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
      [],
      async (committed) => void changes.push(...committed),
      (error) => {
        throw error
      },
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
