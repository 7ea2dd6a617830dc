import type { WriteQueue } from '../db/write-queue.ts'
import { checkpointBytes } from '../engine/checkpoint/spaces.ts'
import { reclaimSpace } from '../engine/reclaim.ts'
import type { CheckpointStore } from '../jobs/lifecycle/checkpoint-store.ts'
import type { Log } from '../logging/log.ts'

interface TrimOptions {
  readonly checkpoints: CheckpointStore
  readonly writes: WriteQueue
  readonly log: Log
  archivePath(jobId: string): string
}

/**
 * Frees the disk space of a stopped job that its next run can't use.
 * @returns the bytes that the job still holds
 */
export async function trimCheckpoint(options: TrimOptions, jobId: string): Promise<number> {
  const { checkpoints, writes, log } = options
  // In the write queue, so that it runs after every checkpoint change that the run has reported.
  const checkpoint = await writes.run(() => checkpoints.checkpointOf(jobId))
  try {
    return await reclaimSpace({ archivePath: options.archivePath(jobId) }, checkpoint)
  } catch (error) {
    log.error('the disk space that a job no longer needs could not be freed', { job: jobId, error })
    return checkpointBytes(checkpoint).lengthBytes
  }
}
