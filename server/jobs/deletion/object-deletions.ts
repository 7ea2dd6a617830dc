import type { ArchiveStore } from '../../archive-store/archive-store.ts'
import { openFailureLog } from '../../logging/failure-log.ts'
import type { Log } from '../../logging/log.ts'
import type { ObjectDeletion, ObjectDeletionStore } from './deletion-store.ts'

/**
 * Deletes the objects of jobs that have expired, were deleted or were cancelled, with their unfinished uploads. The transaction
 * that changes the job writes a row that requests it, and the row stays until the archive store has confirmed the deletion.
 */
export interface ObjectDeletions extends AsyncDisposable {
  /** Deletes what is requested now, and from now on every few seconds. */
  start(): void
  /** Deletes soon what was requested meanwhile. */
  wake(): void
}

/** @param halt stops the upload of an object, so that it can't appear after its deletion */
export function openObjectDeletions(
  deletions: ObjectDeletionStore,
  store: ArchiveStore,
  halt: (objectName: string) => Promise<void>,
  log: Log,
): ObjectDeletions {
  const stop = new AbortController()
  const tries = openFailureLog(log, 'archives could not be deleted from the archive store')
  let timer: Timer | undefined
  let deleting: Promise<void> | null = null

  /** Throws the first error: after it has tried all objects, or after a batch of which the store has deleted none. */
  async function deleteAll(): Promise<void> {
    let first: PromiseRejectedResult | undefined
    for (let batch = deletions.pendingAfter(0); batch.length > 0; ) {
      const results = await Promise.allSettled(batch.map(deleteOne))
      const rejected = results.filter((result) => result.status === 'rejected')
      first ??= rejected[0]
      if (rejected.length === batch.length) break
      batch = deletions.pendingAfter(batch.at(-1)?.id ?? Infinity)
    }
    if (first !== undefined) throw first.reason
    tries.noteSuccess()
  }

  async function deleteOne({ id, objectName }: ObjectDeletion): Promise<void> {
    await halt(objectName)
    await store.remove(objectName, stop.signal)
    deletions.remove(id)
  }

  function begin(): void {
    clearTimeout(timer)
    deleting ??= deleteAll()
      .catch((error) => {
        if (!stop.signal.aborted) tries.noteError(error)
      })
      .finally(() => {
        deleting = null
        if (!stop.signal.aborted) timer = setTimeout(begin, INTERVAL_MS)
      })
  }

  return {
    start: begin,
    wake: () => queueMicrotask(begin),
    async [Symbol.asyncDispose]() {
      stop.abort()
      clearTimeout(timer)
      await deleting
    },
  }
}

/** Commands in other processes delete jobs, too. When nothing is requested, this is one query. */
const INTERVAL_MS = 5_000
