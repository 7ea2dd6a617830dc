import { freeBytes, KEPT_FREE_BYTES } from '../../files/free-space.ts'

/** Thrown before a write that the disk has no room for. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
}

/**
 * Checks the free space on the archive's disk, a part of which stays free for others. A body of known length that doesn't fit is
 * refused when it begins, not after hours of receiving it. Bytes that other bodies of the job have yet to write count as used,
 * since the file system doesn't know of them yet.
 */
export class DiskSpace {
  readonly #directory: string
  #reservedBytes = 0
  #uncheckedBytes = Infinity

  constructor(directory: string) {
    this.#directory = directory
    this.reserve(0)
  }

  /**
   * Reserves bytes for one body.
   * @throws DiskFull when less than the disk's reserve would remain
   */
  reserve(bytes: number): void {
    this.#uncheckedBytes += bytes
    if (this.#uncheckedBytes >= CHECK_BYTES) {
      if (freeBytes(this.#directory) < this.#reservedBytes + bytes + KEPT_FREE_BYTES.fetching)
        throw new DiskFull('the disk is nearly full')
      this.#uncheckedBytes = 0
    }
    this.#reservedBytes += bytes
  }

  /**
   * Checks the room for bytes that are written at once.
   * @throws DiskFull when less than the disk's reserve would remain
   */
  ensureRoom(bytes: number): void {
    this.reserve(bytes)
    this.release(bytes)
  }

  /** Releases reserved bytes that have been written, or that will never be written. */
  release(bytes: number): void {
    this.#reservedBytes -= bytes
  }
}

/** Free space is checked each time that this much more was reserved: far less than the reserve, more than most bodies. */
const CHECK_BYTES = 4 * 1024 * 1024
