import { closeSync, readSync } from 'node:fs'
import { openFile } from '../files/open-file.ts'
import { systemCode } from '../files/system-error.ts'

/**
 * A finished archive whose entries are copied to another one. It may be deleted meanwhile: its bytes stay on the disk until it
 * is closed.
 */
export class FinishedArchive implements Disposable {
  readonly #fd: number
  readonly #bytes = new Uint8Array(PIECE_BYTES)
  /** The bytes of the file that were read last: where they begin, and how many they are. */
  #offset = 0
  #lengthBytes = 0
  /** Work since this thread last did something else, in bytes. */
  #busyBytes = 0

  /** Null when the file is not there or can't be read. */
  static open(path: string): FinishedArchive | null {
    try {
      return new FinishedArchive(openFile(path, 'r'))
    } catch (error) {
      if (UNREADABLE.has(systemCode(error))) return null
      throw error
    }
  }

  private constructor(fd: number) {
    this.#fd = fd
  }

  /**
   * Returns between 1 and `maxBytes` bytes from `position` on, valid until the next call. None at the end of the file and where
   * the disk can't be read. Reads no more than asked for, since small bodies are copied in the order of responses, not of the
   * file. Blocks this thread for the read, and lets it do other work now and then.
   */
  async at(position: number, maxBytes: number): Promise<Uint8Array> {
    if (position < this.#offset || position >= this.#offset + this.#lengthBytes) {
      if (this.#busyBytes >= PIECE_BYTES) await this.#pause()
      this.#lengthBytes = this.#read(position, Math.min(maxBytes, PIECE_BYTES))
      this.#offset = position
      this.#busyBytes += this.#lengthBytes + CALL_BYTES
    }
    const start = position - this.#offset
    return this.#bytes.subarray(start, Math.min(start + maxBytes, this.#lengthBytes))
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }

  async #pause(): Promise<void> {
    this.#busyBytes = 0
    await new Promise(setImmediate)
  }

  #read(position: number, lengthBytes: number): number {
    try {
      return readSync(this.#fd, this.#bytes, 0, lengthBytes, position)
    } catch (error) {
      if (UNREADABLE.has(systemCode(error))) return 0
      throw error
    }
  }
}

/** Large enough to make the cost of a system call negligible. */
const PIECE_BYTES = 1024 * 1024

/** To copy a small entry takes about as long as to copy this many bytes of a large one. */
const CALL_BYTES = 16 * 1024

const UNREADABLE: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EIO'])
