import type { ArchiveReader } from './reader.ts'

/**
 * Reads an archive in windows of equal length and keeps the last few: for many small reads that follow each other in about the order
 * of the archive. Bytes that are written meanwhile may be read as they were before.
 */
export function inWindows(reader: ArchiveReader, windowBytes = WINDOW_BYTES): ArchiveReader {
  /** By number, the one that was used last at the end. */
  const windows = new Map<number, Promise<readonly Piece[]>>()
  const windowAt = (number: number) => {
    const window = windows.get(number) ?? Array.fromAsync(reader.pieces(number * windowBytes, windowBytes))
    windows.delete(number)
    windows.set(number, window)
    const [oldest = number] = windows.keys()
    if (windows.size > KEPT_WINDOWS) windows.delete(oldest)
    return window
  }
  return {
    async *pieces(offset, lengthBytes) {
      const end = offset + lengthBytes
      for (let at = offset; at < end; ) {
        const number = Math.floor(at / windowBytes)
        const found = pieceAt(await windowAt(number), at - number * windowBytes, end - at)
        if (found === null) return
        yield found
        at += found.length
      }
    },
  }
}

type Piece = Uint8Array<ArrayBuffer>

/** At most `maxBytes` from `start` on, of one piece of a window. Null if the window ends before. */
function pieceAt(window: readonly Piece[], start: number, maxBytes: number): Piece | null {
  let pieceStart = 0
  for (const piece of window) {
    const at = start - pieceStart
    if (at < piece.length) return piece.subarray(at, at + maxBytes)
    pieceStart += piece.length
  }
  return null
}

/** As long as a piece of a local file. */
const WINDOW_BYTES = 256 * 1024

const KEPT_WINDOWS = 4
