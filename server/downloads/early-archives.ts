import { type ArchiveContent, localContent } from '../archive-store/archive-content.ts'
import type { DataDir } from '../data/data-dir.ts'
import { partPathOf } from '../engine/job-order.ts'
import { ServiceError } from '../errors.ts'
import { systemCode } from '../files/system-error.ts'
import { hasEnded, type Job } from '../jobs/job.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { JobQueries } from '../jobs/reading/query-store.ts'
import { etagOf } from './etag.ts'
import type { FinishedArchives } from './finished-archives.ts'

/** An archive that is still packed, ready to be sent as far as it is settled, and then as it grows. */
export interface EarlyDownload {
  readonly filename: string
  /** That of the finished archive. */
  readonly etag: string
  /**
   * The bytes from `start` on. Ends when the archive is complete.
   * @param stop ends the wait for bytes that are not settled yet
   * @param pieceBytes how long a piece may be
   * @throws ServiceError `UNAVAILABLE` when the archive can't be completed, or will be another one
   */
  pieces(
    start: number,
    stop: AbortSignal,
    pieceBytes: number,
  ): AsyncGenerator<Uint8Array<ArrayBuffer> | 'waiting', void>
}

/** Archives that are downloaded while they are packed. Disposing of it breaks these downloads off. They can go on later. */
export interface EarlyArchives extends AsyncDisposable {
  open(job: Job): EarlyDownload
  /** One number: how many clients download the archive of a job now. It changes meanwhile. */
  readersOf(jobId: string): Int32Array<SharedArrayBuffer>
  /** Call it when the settled bytes of a job have changed. Other changes of its row are noticed. */
  changed(jobId: string): void
}

export function openEarlyArchives(
  dir: Pick<DataDir, 'archive'>,
  store: Pick<JobQueries, 'findForDownload'>,
  archives: Pick<FinishedArchives, 'open'>,
  live: Pick<LiveProgress, 'subscribe'>,
): EarlyArchives {
  /** The jobs whose archives are downloaded, by id. All readers of an archive share what is known of it. */
  const watched = new Map<string, WatchedJob>()
  const readers = new Map<string, Int32Array<SharedArrayBuffer>>()
  let isClosing = false
  const changed = (jobId: string) => watched.get(jobId)?.refresh()
  const subscription = live.subscribe('all', ({ jobId, rowChanged }) => {
    if (!rowChanged) return
    changed(jobId)
    if (!readers.has(jobId) || watched.has(jobId)) return
    const job = store.findForDownload(jobId)
    if (job === null || hasEnded(job)) readers.delete(jobId)
  })

  function readersOf(jobId: string): Int32Array<SharedArrayBuffer> {
    const known = readers.get(jobId) ?? new Int32Array(new SharedArrayBuffer(4))
    readers.set(jobId, known)
    return known
  }

  function watch(jobId: string): WatchedJob {
    let known = watched.get(jobId)
    if (known === undefined) {
      known = new WatchedJob(() => store.findForDownload(jobId))
      watched.set(jobId, known)
    }
    known.readers += 1
    Atomics.store(readersOf(jobId), 0, known.readers)
    return known
  }

  function unwatch(jobId: string, known: WatchedJob): void {
    known.readers -= 1
    Atomics.store(readersOf(jobId), 0, known.readers)
    if (known.readers === 0) watched.delete(jobId)
  }

  /** While the job runs, its file has another name. While it is uploaded, the file is there until the bucket has the archive. */
  async function contentOf(job: Job): Promise<ArchiveContent> {
    const path = dir.archive(job.id)
    for (const local of [partPathOf({ archivePath: path }), path])
      if (await Bun.file(local).exists()) return localContent(local)
    return archives.open(job).content
  }

  async function* settledPieces(
    jobId: string,
    edition: number,
    start: number,
    stop: AbortSignal,
    pieceBytes: number,
  ) {
    const job = watch(jobId)
    let at = start
    try {
      for (;;) {
        // Before it is looked at: it may change while the reader is busy with what it has.
        const untilChanged = job.nextChange()
        const end = job.settledEnd(edition)
        if (isClosing) throw brokenOff()
        // Any archive begins with them, so the header fields of the response need not wait.
        if (at < FIRST_BYTES.length && end === 0) {
          yield FIRST_BYTES.slice(at)
          at = FIRST_BYTES.length
        } else if (at < end) {
          for await (const piece of await readFrom(job, at, end - at, pieceBytes)) {
            // While they were read, the run may have given them up, and written others to their place.
            job.settledEnd(edition)
            at += piece.length
            yield piece
          }
        } else if (job.isWhole) {
          if (at > end) throw brokenOff()
          return
        } else {
          yield 'waiting'
          await untilChanged(stop)
          stop.throwIfAborted()
        }
      }
    } finally {
      unwatch(jobId, job)
    }
  }

  /** The file may be renamed or deleted at any moment: then its bytes are somewhere else. */
  async function* readFrom(job: WatchedJob, at: number, lengthBytes: number, pieceBytes: number) {
    let done = 0
    for (let attempts = 1; done < lengthBytes; attempts += 1) {
      const before = done
      try {
        const content = await contentOf(job.row)
        for await (const piece of content.pieces(at + done, lengthBytes - done, pieceBytes)) {
          done += piece.length
          yield piece
        }
      } catch (error) {
        if (systemCode(error) !== 'ENOENT' || attempts === MAX_ATTEMPTS) throw error
      }
      if (done === before && attempts === MAX_ATTEMPTS) throw brokenOff()
    }
  }

  return {
    open({ id, zipFilename, edition }) {
      return {
        filename: zipFilename,
        etag: etagOf({ id, edition }),
        pieces: (start, stop, pieceBytes) => settledPieces(id, edition, start, stop, pieceBytes),
      }
    },
    readersOf,
    changed,
    async [Symbol.asyncDispose]() {
      isClosing = true
      subscription[Symbol.dispose]()
      for (const job of watched.values()) job.refresh()
    },
  }
}

/** A job whose archive is downloaded while it is packed. */
class WatchedJob {
  readers = 0
  readonly #read: () => Job | null
  #job: Job | null
  #changed = Promise.withResolvers<void>()

  constructor(read: () => Job | null) {
    this.#read = read
    this.#job = read()
  }

  /** The job as it was last read. */
  get row(): Job {
    if (this.#job === null) throw brokenOff()
    return this.#job
  }

  /** Whether the archive is complete, even if it is still uploaded. */
  get isWhole(): boolean {
    return (
      this.row.status === 'completed' || (this.row.status === 'processing' && this.row.objectName !== null)
    )
  }

  /** How many bytes of the archive can be sent. */
  settledEnd(edition: number): number {
    const job = this.row
    if (job.edition !== edition || (hasEnded(job) && job.status !== 'completed')) throw brokenOff()
    return this.isWhole ? job.zipBytes : job.settledBytes
  }

  refresh(): void {
    this.#job = this.#read()
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  /** What it returns resolves when the job has changed since this call, or the reader stops. */
  nextChange(): (stop: AbortSignal) => Promise<void> {
    const { promise } = this.#changed
    return async (stop) => {
      const stopped = Promise.withResolvers<void>()
      if (stop.aborted) stopped.resolve()
      else stop.addEventListener('abort', () => stopped.resolve(), { once: true })
      await Promise.race([promise, stopped.promise])
    }
  }
}

/** The signature of a local file header (APPNOTE 4.3.7). */
const FIRST_BYTES = Uint8Array.of(0x50, 0x4b, 0x03, 0x04)

/** The file is renamed once, and deleted once when the bucket has the archive. */
const MAX_ATTEMPTS = 4

/** The client can try again later, and then perhaps go on. */
function brokenOff(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'This archive could not be completed.')
}
