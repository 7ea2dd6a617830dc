import { systemCode } from '../files/system-error.ts'
import type { ArchiveFile } from './archive-file.ts'

/**
 * Reads an archive from front to back in large pieces, off this thread: thousands of small bodies lie in a few of
 * them. Only for bytes that nobody writes meanwhile.
 */
export class ReadWindow {
  readonly #file: ArchiveFile
  readonly #bytes = new Uint8Array(WINDOW_BYTES)
  #offset = 0
  #lengthBytes = 0

  constructor(file: ArchiveFile) {
    this.#file = file
  }

  /**
   * Bytes from `position` on, `mostBytes` at most and one at least, valid until the next call. None at the end of the
   * file and where the disk can't be read.
   */
  async at(position: number, mostBytes: number): Promise<Uint8Array> {
    if (position < this.#offset || position >= this.#offset + this.#lengthBytes) {
      this.#lengthBytes = await this.#read(position)
      this.#offset = position
    }
    const start = position - this.#offset
    return this.#bytes.subarray(start, Math.min(start + mostBytes, this.#lengthBytes))
  }

  async #read(position: number): Promise<number> {
    try {
      return await this.#file.readAside(this.#bytes, position)
    } catch (error) {
      if (systemCode(error) === 'EIO') return 0
      throw error
    }
  }
}

/** Large enough that a call costs nothing beside its bytes. */
const WINDOW_BYTES = 1024 * 1024
