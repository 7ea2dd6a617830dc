import { existsSync } from 'node:fs'
import type { ArchiveStore } from '../archive-store/archive-store.ts'
import type { DataDir } from '../data/data-dir.ts'
import type { InstanceStore } from '../data/instance-store.ts'
import type { Database } from '../db/open.ts'
import { openCheckpointStore } from '../jobs/checkpoint-store.ts'
import type { FileDeletionStore } from '../jobs/deletion-store.ts'
import { type FileDeletions, openFileDeletions } from '../jobs/file-deletions.ts'
import type { ConcurrentShutdown } from '../shutdown.ts'
import type { Clock } from '../time/clock.ts'
import { type ArchiveTransfer, openArchiveTransfer } from './archive-transfer.ts'
import { openClockCheck } from './clock-check.ts'
import { openRowCleanup, type RowCleanupOptions } from './row-cleanup.ts'
import { openScheduler, type Scheduler, type SchedulerOptions } from './scheduler.ts'
import { openSweeper, type Sweeper } from './sweeper.ts'

export interface SchedulingOptions
  extends Omit<SchedulerOptions, 'checkpoints' | 'beginUpload' | 'archivePath'>,
    Omit<RowCleanupOptions, 'live'> {
  readonly db: Database
  readonly dir: DataDir
  readonly instance: InstanceStore
  /** Null when archives stay in the archive directory. */
  readonly archiveStore: ArchiveStore | null
  readonly fileDeletionStore: FileDeletionStore
  /** A clock that does not change when the system clock is set. */
  readonly monotonic: Clock
  /** On the disk of the archives. */
  freeBytes(): number
}

export interface SchedulingParts {
  readonly scheduler: Scheduler
  readonly sweeper: Sweeper
  readonly fileDeletions: FileDeletions
  readonly transfer: ArchiveTransfer
}

/** The parts that run jobs, upload their archives, and delete files and what has expired. They need each other. */
export function openSchedulingParts(
  options: SchedulingOptions,
  shutdown: ConcurrentShutdown,
): SchedulingParts {
  const { db, dir, clock, monotonic, log } = options
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
  const sweeper = shutdown.use(
    openSweeper({
      ...options,
      fileDeletions,
      rowCleanup: openRowCleanup(options),
      clockCheck: openClockCheck({ clock, monotonic, instance: options.instance, log }),
    }),
  )
  return { scheduler, sweeper, fileDeletions, transfer }
}
