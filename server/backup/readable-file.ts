import { closeSync, fstatSync, readSync } from 'node:fs'
import { openFile } from '../files/open-file.ts'

/** A file that is open for reading, until disposed of. */
export interface ReadableFile extends Disposable {
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  /**
   * The bytes of a range, in pieces that are valid until the next one. Fewer bytes at the end of the file. Between two
   * pieces, signals of the system are handled.
   * @throws the reason of `stop` when it is aborted
   */
  pieces(offset: number, lengthBytes: number, stop: AbortSignal): AsyncGenerator<Uint8Array>
}

/** @throws the error of the system when the file can't be opened */
export function openForReading(path: string): ReadableFile {
  const fd = openFile(path, 'r')
  const { size, mtimeMs } = fstatSync(fd)
  return {
    sizeBytes: size,
    modifiedAtMs: mtimeMs,
    async *pieces(offset, lengthBytes, stop) {
      const buffer = new Uint8Array(Math.min(PIECE_BYTES, lengthBytes))
      for (let done = 0; done < lengthBytes; ) {
        stop.throwIfAborted()
        const count = readSync(fd, buffer, 0, Math.min(buffer.length, lengthBytes - done), offset + done)
        if (count === 0) return
        yield buffer.subarray(0, count)
        done += count
        await new Promise(setImmediate)
      }
    },
    [Symbol.dispose]: () => closeSync(fd),
  }
}

/** Large enough to make the cost of a system call negligible. */
const PIECE_BYTES = 1024 * 1024
