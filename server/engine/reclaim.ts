import { rm, stat, truncate } from 'node:fs/promises'
import { systemCode } from '../files/system-error.ts'
import { removeSpools } from './bodies/spooled.ts'
import type { Checkpoint } from './checkpoint/checkpoint.ts'
import { checkpointBytes } from './checkpoint/spaces.ts'
import { type JobOrder, partPathOf } from './job-order.ts'

/**
 * Deletes what an unfinished run leaves on the disk and no later run can use: spool files, and the part of the archive file
 * after the last byte of the checkpoint. The job must not be running.
 * @returns how many bytes the job still uses on the disk
 */
export async function reclaimSpace(
  order: Pick<JobOrder, 'archivePath'>,
  checkpoint: Checkpoint,
): Promise<number> {
  const partPath = partPathOf(order)
  await removeSpools(partPath)
  const kept = checkpointBytes(checkpoint)
  if (kept.endOffset === 0) await rm(partPath, { force: true })
  else if ((await sizeOf(partPath)) > kept.endOffset) await truncate(partPath, kept.endOffset)
  // A run that crashed after the rename has left a finished archive.
  const files = await Promise.all(
    [partPath, order.archivePath].map((path) => usedBytes(path, kept.lengthBytes)),
  )
  return files.reduce((sum, bytes) => sum + bytes, 0)
}

async function sizeOf(path: string): Promise<number> {
  return (await statOf(path))?.size ?? 0
}

/**
 * Disk space that a file uses. Less than its length if it is sparse, because the space of a body was allocated but not
 * written. Some file systems count blocks late, so the result is at least the number of durable bytes.
 */
async function usedBytes(path: string, durableBytes: number): Promise<number> {
  const file = await statOf(path)
  return file === null ? 0 : Math.min(file.size, Math.max(file.blocks * BLOCK_BYTES, durableBytes))
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

/** The unit of `blocks` in `stat`, on every file system. */
const BLOCK_BYTES = 512
