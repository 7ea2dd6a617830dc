import { freeBytes, KEPT_FREE_BYTES } from '../files/free-space.ts'

/** Thrown before a write that the disk has no room for. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
}

/**
 * Watches the room on the disk of an archive. A large body is refused when it begins, not after hours of it; what
 * others of the job are still to write is counted, since the file system doesn't know of it yet.
 */
export class DiskSpace {
  readonly #directory: string
  #promisedBytes = 0
  #unaskedBytes = Infinity

  constructor(directory: string) {
    this.#directory = directory
    this.promise(0)
  }

  /**
   * Promises so many bytes to one body.
   * @throws DiskFull when they would leave less than the reserve
   */
  promise(bytes: number): void {
    this.#unaskedBytes += bytes
    if (this.#unaskedBytes >= ASK_BYTES) {
      if (freeBytes(this.#directory) < this.#promisedBytes + bytes + KEPT_FREE_BYTES.fetching)
        throw new DiskFull('the disk is nearly full')
      this.#unaskedBytes = 0
    }
    this.#promisedBytes += bytes
  }

  /** So many of the bytes promised are written, or will never be. */
  settle(bytes: number): void {
    this.#promisedBytes -= bytes
  }
}

/** The file system is asked again after so many bytes: far less than the reserve, and more than most bodies. */
const ASK_BYTES = 4 * 1024 * 1024
