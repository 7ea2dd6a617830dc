import { closeSync, fstatSync } from 'node:fs'
import { releaseMemory } from '../bytes.ts'
import { openFile } from '../files/open-file.ts'
import { readPieces } from '../files/read-pieces.ts'

/** A file that is open for reading, until disposed of. */
export interface ReadableFile extends Disposable {
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  /**
   * The bytes of a range, in pieces that are valid until the next one. Fewer bytes at the end of the file. Between two
   * pieces, signals of the system are handled.
   * @throws the reason of `stop` when it is aborted; the error of the system when the disk can't be read
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
      for await (const piece of readPieces(fd, offset, lengthBytes, PIECE_BYTES)) {
        stop.throwIfAborted()
        yield piece
        releaseMemory(piece)
      }
    },
    [Symbol.dispose]: () => closeSync(fd),
  }
}

/** Large enough to make the cost of a system call negligible. */
const PIECE_BYTES = 1024 * 1024
