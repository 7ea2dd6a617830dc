import { isBodyIntact } from '../archive/check-body.ts'
import { FinishedArchive } from '../archive/finished-archive.ts'
import { localFileHeader, localHeaderBytes } from '../archive/format.ts'
import { Semaphore } from '../fetching/semaphore.ts'
import type { ReuseMode } from '../vocabulary.ts'
import type { BaseEntry, BaseOrder } from './job-order.ts'
import type { OpenJob } from './open-job.ts'
import { entryBytes } from './size-limit.ts'

/** The base of a job: a finished archive whose entries are copied as they are, compressed or not. */
export class BaseArchive implements Disposable {
  readonly reuse: ReuseMode
  readonly #file: FinishedArchive
  /** One entry at a time: all copies share the memory of one piece. */
  readonly #turns = new Semaphore(1)

  /** Null when the archive is no longer there: then all sources are fetched. */
  static open({ path, reuse }: BaseOrder): BaseArchive | null {
    const file = FinishedArchive.open(path)
    return file === null ? null : new BaseArchive(file, reuse)
  }

  private constructor(file: FinishedArchive, reuse: ReuseMode) {
    this.#file = file
    this.reuse = reuse
  }

  /**
   * Copies an entry to the archive of the job, and verifies it on the way. It counts like a fetched one.
   * @returns false when the entry is damaged, and nothing was copied
   */
  async copy(job: OpenJob, position: number, { finalName, ...entry }: BaseEntry): Promise<boolean> {
    using _turn = await this.#turns.acquire(job.signal)
    const header = localFileHeader({ ...entry, name: encoder.encode(finalName) })
    const { name, compressedBytes, sizeBytes } = entry
    const found = await this.#file.at(entry.offset, header.length + compressedBytes)
    if (Buffer.compare(found.subarray(0, header.length), header) !== 0) return false

    const nameBytes = encoder.encode(name)
    const headerBytes = localHeaderBytes(nameBytes.length, compressedBytes, sizeBytes)
    const claim = job.sizeLimit.claim(entryBytes(name, compressedBytes))
    job.diskSpace.reserve(compressedBytes)
    const space = job.file.allocate(headerBytes + compressedBytes)
    let copiedBytes = 0
    const write = (piece: Uint8Array) => {
      job.file.writeBuffered(piece.slice(), space.offset + headerBytes + copiedBytes)
      copiedBytes += piece.length
      job.diskSpace.release(piece.length)
      job.checkpointer.noteWritten()
      job.meter.entry({ position, status: 'fetching', name, sizeBytes: copiedBytes, error: null })
    }
    const body = { ...entry, bodyOffset: entry.offset + entry.headerBytes }
    if (!(await isBodyIntact(this.#file, body, job.signal, write))) {
      job.file.release(space)
      job.diskSpace.release(compressedBytes - copiedBytes)
      claim.release()
      return false
    }
    const place = { offset: space.offset, headerBytes }
    job.file.writeBuffered(localFileHeader({ ...entry, ...place, name: nameBytes }), space.offset)
    job.stored({ ...entry, ...place, status: 'stored', position, isReused: true })
    return true
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]()
  }
}

const encoder = new TextEncoder()
