import { existsSync } from 'node:fs'
import type { ArchiveStore } from '../archive-store/archive-store.ts'
import type { Database } from '../db/open.ts'
import type { DataDir } from '../files/data-dir.ts'
import { openCheckpointStore } from '../jobs/checkpoint-store.ts'
import type { FileDeletionStore } from '../jobs/file-deletion-store.ts'
import { type FileDeletions, openFileDeletions } from '../jobs/file-deletions.ts'
import type { ConcurrentShutdown } from '../shutdown.ts'
import { type ArchiveTransfer, openArchiveTransfer } from './archive-transfer.ts'
import { openScheduler, type Scheduler, type SchedulerOptions } from './scheduler.ts'

export interface SchedulingOptions
  extends Omit<SchedulerOptions, 'checkpoints' | 'beginUpload' | 'archivePath'> {
  readonly db: Database
  readonly dir: DataDir
  /** Null when archives stay in the archive directory. */
  readonly archiveStore: ArchiveStore | null
  readonly fileDeletionStore: FileDeletionStore
}

export interface SchedulingParts {
  readonly scheduler: Scheduler
  readonly fileDeletions: FileDeletions
  readonly transfer: ArchiveTransfer
}

/** The parts that run jobs, upload their archives and delete their files. They need each other. */
export function openSchedulingParts(
  options: SchedulingOptions,
  shutdown: ConcurrentShutdown,
): SchedulingParts {
  const { db, dir, log } = options
  const transfer: ArchiveTransfer = shutdown.use(
    openArchiveTransfer({
      ...options,
      store: options.archiveStore,
      archivePath: dir.archive,
      deleteFiles: (jobId) => fileDeletions.deleteFiles(jobId),
      isDirectoryInPlace: () => existsSync(dir.archiveOwner),
      onPending: () => scheduler.wake(),
    }),
  )
  const scheduler: Scheduler = shutdown.use(
    openScheduler({
      ...options,
      checkpoints: openCheckpointStore(db),
      archivePath: dir.archive,
      beginUpload: transfer.beginUpload,
    }),
  )
  const fileDeletions: FileDeletions = openFileDeletions(
    options.fileDeletionStore,
    dir,
    scheduler.halt,
    transfer.wakeDeletions,
    log,
  )
  return { scheduler, fileDeletions, transfer }
}
