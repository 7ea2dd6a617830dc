import { rm, stat, truncate } from 'node:fs/promises'
import { systemCode } from '../files/system-error.ts'
import type { Checkpoint } from './checkpoint.ts'
import { coveredBytes } from './held-entries.ts'
import { type JobOrder, partPathOf } from './job-order.ts'
import { removeSpools } from './spooled-body.ts'

/**
 * Gives back what a run that did not complete leaves on the disk and no later one can go on from: spool files, and all of
 * the archive file that lies behind the last byte of the checkpoint. Nothing may run the job meanwhile.
 * @returns how many bytes the job holds on the disk from now on
 */
export async function giveBack(
  order: Pick<JobOrder, 'archivePath'>,
  checkpoint: Checkpoint,
): Promise<number> {
  const partPath = partPathOf(order)
  await removeSpools(partPath)
  const covered = coveredBytes(checkpoint)
  if (covered.endOffset === 0) await rm(partPath, { force: true })
  else if ((await sizeOf(partPath)) > covered.endOffset) await truncate(partPath, covered.endOffset)
  // A run that died between the rename and the row has left its archive whole.
  const files = await Promise.all(
    [partPath, order.archivePath].map((path) => heldBytes(path, covered.lengthBytes)),
  )
  return files.reduce((sum, bytes) => sum + bytes, 0)
}

async function sizeOf(path: string): Promise<number> {
  return (await statOf(path))?.size ?? 0
}

/**
 * What a file takes of the disk. Its length is too much where a body has its space but not its bytes: such a file is
 * sparse. Some file systems count blocks late, so that it is at least what is known to be durable.
 */
async function heldBytes(path: string, durableBytes: number): Promise<number> {
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

/** The unit of `stat`, whatever the file system's own blocks are. */
const BLOCK_BYTES = 512
