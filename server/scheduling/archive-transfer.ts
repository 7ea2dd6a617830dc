import type { ArchiveStore } from '../archive-store/archive-store.ts'
import type { ObjectDeletionStore } from '../jobs/deletion/deletion-store.ts'
import { openObjectDeletions } from '../jobs/deletion/object-deletions.ts'
import type { TransitionStore } from '../jobs/lifecycle/transition-store.ts'
import { openUploads, type Uploads, type UploadsOptions } from './uploads.ts'

export interface ArchiveTransferOptions extends Omit<UploadsOptions, 'store' | 'transitions'> {
  readonly transitions: TransitionStore
  /** Null when archives stay in the archive directory. */
  readonly store: ArchiveStore | null
  readonly objectDeletions: ObjectDeletionStore
}

/** Moves finished archives to the archive store, and deletes them there. */
export interface ArchiveTransfer extends AsyncDisposable {
  /** Null without a store. */
  readonly beginUpload: Uploads['begin'] | null
  /** @param onPending called from now on when a job became pending again */
  start(onPending: () => void): void
  /** Call it when jobs were deleted or have expired. */
  wakeDeletions(): void
  /** Why the store can't be used, as a sentence without an address; null when it can. */
  trouble(): string | null
}

export function openArchiveTransfer(options: ArchiveTransferOptions): ArchiveTransfer {
  const { store, objectDeletions, log } = options
  const transitions = options.transitions.uploads
  if (store === null) {
    for (const upload of transitions.pending()) transitions.release(upload)
    if (objectDeletions.pendingAfter(0).length > 0)
      log.warn(
        'archives in an archive store are to be deleted, but the service was started without --archive-store',
      )
    return {
      beginUpload: null,
      start() {},
      wakeDeletions() {},
      trouble: () => null,
      async [Symbol.asyncDispose]() {},
    }
  }
  const uploads = openUploads({
    store,
    transitions,
    writes: options.writes,
    live: options.live,
    clock: options.clock,
    log,
    archivePath: options.archivePath,
    deleteFiles: options.deleteFiles,
    isDirectoryInPlace: options.isDirectoryInPlace,
  })
  const deletions = openObjectDeletions(objectDeletions, store, uploads.halt, log)
  return {
    beginUpload: uploads.begin,
    start(onPending) {
      uploads.start(onPending)
      deletions.start()
    },
    wakeDeletions: deletions.wake,
    trouble: uploads.trouble,
    async [Symbol.asyncDispose]() {
      await Promise.all([uploads[Symbol.asyncDispose](), deletions[Symbol.asyncDispose]()])
    },
  }
}
