import type { ArchiveStore } from '../archive-store/archive-store.ts'
import { StoreError } from '../archive-store/store-error.ts'
import { FileIsNotWhole } from '../archive-store/upload-file.ts'
import type { WriteQueue } from '../db/write-queue.ts'
import type { CompletedArchive } from '../engine/job-order.ts'
import type { Claim } from '../jobs/job.ts'
import type { PendingUpload, TransitionStore } from '../jobs/lifecycle/transition-store.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import { openFailureLog } from '../logging/failure-log.ts'
import type { Log, LogFields } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'

export interface UploadsOptions {
  readonly store: ArchiveStore
  readonly transitions: TransitionStore['uploads']
  readonly writes: WriteQueue
  readonly live: LiveProgress
  readonly clock: Clock
  readonly log: Log
  archivePath(jobId: string): string
  /** Deletes the files of a job. */
  deleteFiles(jobId: string): Promise<void>
  /** Whether the archive directory is the one that the service has started with: its disk may not be mounted any more. */
  isDirectoryInPlace(): boolean
}

/**
 * Uploads finished archives to the archive store, a few at once, and completes their jobs. An upload that fails is tried again
 * until it succeeds, so a store that is down delays jobs and loses none. Disposing stops all of them: the next start begins
 * them again.
 */
export interface Uploads extends AsyncDisposable {
  /**
   * Begins with the uploads that earlier processes have left.
   * @param onPending called from now on when a job became pending again
   */
  start(onPending: () => void): void
  /** Ends the run of a job whose archive is finished. The job completes when the store has the archive. */
  begin(run: Claim, archive: CompletedArchive): void
  /** Stops the upload of an object, and resolves when none of its requests is under way. */
  halt(objectName: string): Promise<void>
  /** Why the store can't be used, as a sentence without an address; null when it can. */
  trouble(): string | null
}

export function openUploads(options: UploadsOptions): Uploads {
  const { store, transitions, deleteFiles, writes, live, clock, log } = options
  const closing = new AbortController()
  const waiting: PendingUpload[] = []
  const running = new Map<string, Running>()
  const tries = openFailureLog(log, 'an archive could not be uploaded to the archive store')
  let reportPending: () => void = notStarted
  let trouble: string | null = null
  let checking: Promise<void> | null = null

  function beginMore(): void {
    while (!closing.signal.aborted && running.size < UPLOADS_AT_ONCE) {
      const upload = takeNext()
      if (upload === null) return
      const stop = new AbortController()
      const signal = AbortSignal.any([stop.signal, closing.signal])
      const ended = perform(upload, signal)
        .catch((error) => {
          if (!signal.aborted) log.error('an upload has ended unexpectedly', { job: upload.jobId, error })
        })
        .finally(() => {
          running.delete(upload.objectName)
          beginMore()
        })
      running.set(upload.objectName, { upload, stop, ended })
    }
  }

  /** The oldest upload of the user who has the fewest uploads under way. */
  function takeNext(): PendingUpload | null {
    const loadOf = (userId: string) =>
      [...running.values()].filter(({ upload }) => upload.userId === userId).length
    const loads = waiting.map(({ userId }) => loadOf(userId))
    const index = loads.indexOf(Math.min(...loads))
    return waiting.splice(index, 1)[0] ?? null
  }

  async function perform(upload: PendingUpload, signal: AbortSignal): Promise<void> {
    const { jobId, sizeBytes } = upload
    for (let delayMs = MIN_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        await store.upload(upload.objectName, { path: options.archivePath(jobId), sizeBytes }, signal)
        worked()
        return await complete(upload, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof FileIsNotWhole && options.isDirectoryInPlace())
          return await restart(upload, error)
        noteFailure(error, { job: jobId })
        await pause(delayMs, signal)
      }
    }
  }

  /** Repeats until the database accepts it, since the store has the archive. */
  async function complete(upload: PendingUpload, signal: AbortSignal): Promise<void> {
    const { jobId, sizeBytes } = upload
    const isCompleted = await untilWritten(() => transitions.complete(upload, clock()), signal)
    if (!isCompleted) return
    log.info('job completed: its archive is in the archive store', { job: jobId, bytes: sizeBytes })
    live.changed(upload)
    await deleteFiles(jobId)
  }

  /** Deletes nothing when the job was cancelled or deleted meanwhile: after a retry, its files may be those of another run. */
  async function restart(upload: PendingUpload, error: FileIsNotWhole): Promise<void> {
    const { jobId } = upload
    const restarted = await untilWritten(
      // In the same turn of the event loop, since the job may be claimed in the next one.
      () => (transitions.restart(upload) ? { deletion: deleteFiles(jobId) } : null),
      closing.signal,
    )
    if (restarted === null) return
    log.error('a finished archive is damaged before its upload: its job starts again', { job: jobId, error })
    await restarted.deletion
    live.changed(upload)
    reportPending()
  }

  async function untilWritten<T>(write: () => T, signal: AbortSignal): Promise<T> {
    const writing = openFailureLog(log, 'the end of an upload could not be recorded')
    for (;;) {
      try {
        return await writes.run(write)
      } catch (error) {
        writing.noteError(error)
        await pause(MIN_DELAY_MS, signal)
      }
    }
  }

  function worked(): void {
    trouble = null
    tries.noteSuccess()
  }

  /** Any other error than that of the store is a fault of the disk, and its message may contain a path. */
  function noteFailure(error: unknown, fields: LogFields = {}): void {
    tries.noteError(error, fields)
    if (!(error instanceof StoreError)) return
    trouble = error.message
    check()
  }

  /** Checks the store until it can be used: there may be no upload that would notice. */
  function check(): void {
    checking ??= untilUsable()
      .catch(() => {})
      .finally(() => {
        checking = null
      })
  }

  async function untilUsable(): Promise<void> {
    for (;;) {
      try {
        await store.check(closing.signal)
        return worked()
      } catch (error) {
        closing.signal.throwIfAborted()
        noteFailure(error)
        await pause(MAX_DELAY_MS, closing.signal)
      }
    }
  }

  return {
    start(onPending) {
      reportPending = onPending
      waiting.push(...transitions.pending())
      // Reports wrong settings at the start, and not hours later with the first archive.
      check()
      beginMore()
    },
    begin(run, archive) {
      const upload = transitions.begin(run, archive, `${run.jobId}-${randomSuffix()}.zip`)
      if (upload === null) return
      log.info('job packed: its archive is uploaded', { job: run.jobId, bytes: upload.sizeBytes })
      waiting.push(upload)
      beginMore()
    },
    async halt(objectName) {
      const index = waiting.findIndex((upload) => upload.objectName === objectName)
      if (index >= 0) waiting.splice(index, 1)
      const found = running.get(objectName)
      found?.stop.abort()
      await found?.ended
    },
    trouble: () => trouble,
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.all([checking, ...[...running.values()].map(({ ended }) => ended)])
    },
  }
}

function notStarted(): never {
  throw new Error('uploads have not started')
}

interface Running {
  readonly upload: PendingUpload
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** So that the name of an object is never used again, not even after the database was restored from a backup. */
function randomSuffix(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
}

/** Each holds two parts in memory. While one uploads a large archive, the others upload smaller ones. */
const UPLOADS_AT_ONCE = 4
/** Before the second attempt of an upload. The delay doubles from attempt to attempt. */
const MIN_DELAY_MS = 1_000
/** Soon enough after the store responds again. */
const MAX_DELAY_MS = 30_000
