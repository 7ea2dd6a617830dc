import { closeSync, readSync } from 'node:fs'
import { openFile } from '../../files/open-file.ts'
import { systemCode } from '../../files/system-error.ts'
import type { PieceReader } from './check-body.ts'

/**
 * A finished archive on the local disk, whose entries are copied to another one. It may be deleted meanwhile: its bytes stay
 * on the disk until it is closed.
 */
export class LocalArchive implements PieceReader, Disposable {
  readonly #fd: number
  readonly #bytes = new Uint8Array(PIECE_BYTES)
  readonly #piece = new Uint8Array(PIECE_BYTES)
  /** Work since this thread last did something else, in bytes. */
  #busyBytes = 0

  /** Null when the file is not there or can't be read. */
  static open(path: string): LocalArchive | null {
    try {
      return new LocalArchive(openFile(path, 'r'))
    } catch (error) {
      if (UNREADABLE.has(systemCode(error))) return null
      throw error
    }
  }

  private constructor(fd: number) {
    this.#fd = fd
  }

  /** Call before copying an entry: lets this thread do other work now and then, since `read` blocks it. */
  async giveWay(): Promise<void> {
    this.#busyBytes += CALL_BYTES
    if (this.#busyBytes < PIECE_BYTES) return
    this.#busyBytes = 0
    await new Promise(setImmediate)
  }

  /**
   * Reads a range of at most 1 MiB in one call: that takes a fraction of the time of a read in another thread. The bytes are
   * valid until the next call. Fewer at the end of the file and where the disk can't be read.
   */
  read(position: number, lengthBytes: number): Uint8Array {
    const bytes = this.#bytes.subarray(0, lengthBytes)
    return bytes.subarray(0, this.#readInto(bytes, position))
  }

  /** Like `read`, but lets this thread do other work first. Has memory of its own. */
  async at(position: number, maxBytes: number): Promise<Uint8Array> {
    await this.giveWay()
    const piece = this.#piece.subarray(0, Math.min(maxBytes, PIECE_BYTES))
    return piece.subarray(0, this.#readInto(piece, position))
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }

  #readInto(bytes: Uint8Array, position: number): number {
    this.#busyBytes += bytes.length
    try {
      return readSync(this.#fd, bytes, 0, bytes.length, position)
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
