import { systemCode } from '../../files/system-error.ts'
import type { ArchiveFile } from '../file.ts'
import type { PieceReader } from './check-body.ts'

/**
 * Reads an archive from front to back in pieces of 1 MiB, which hold many small bodies each. Does not block this thread.
 * The bytes must not be written meanwhile.
 */
export class ReadWindow implements PieceReader {
  readonly #file: ArchiveFile
  readonly #bytes = new Uint8Array(WINDOW_BYTES)
  #offset = 0
  #lengthBytes = 0

  constructor(file: ArchiveFile) {
    this.#file = file
  }

  async at(position: number, maxBytes: number): Promise<Uint8Array> {
    if (position < this.#offset || position >= this.#offset + this.#lengthBytes) {
      this.#lengthBytes = await this.#read(position)
      this.#offset = position
    }
    const start = position - this.#offset
    return this.#bytes.subarray(start, Math.min(start + maxBytes, this.#lengthBytes))
  }

  async #read(position: number): Promise<number> {
    try {
      return await this.#file.readAsync(this.#bytes, position)
    } catch (error) {
      if (systemCode(error) === 'EIO') return 0
      throw error
    }
  }
}

/** Large enough to make the cost of a system call negligible. */
const WINDOW_BYTES = 1024 * 1024
