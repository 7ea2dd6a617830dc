import { releaseMemory } from '../../bytes.ts'
import type { ArchiveReader } from './reader.ts'

/**
 * Reads an archive in windows of equal length and keeps the last few: for many small reads that follow each other in about the order
 * of the archive. Bytes that are written meanwhile may be read as they were before.
 */
export function inWindows(reader: ArchiveReader, windowBytes = WINDOW_BYTES): ArchiveReader {
  /** By number, in the order of their last use. */
  const windows = new Map<number, Window>()
  const windowAt = (number: number) => {
    const window = windows.get(number) ?? {
      pieces: Array.fromAsync(reader.pieces(number * windowBytes, windowBytes)),
      readers: 0,
      isHeld: false,
    }
    windows.delete(number)
    windows.set(number, window)
    const [[oldest, forgotten] = [number, window]] = windows
    if (windows.size > KEPT_WINDOWS) {
      windows.delete(oldest)
      void release(forgotten)
    }
    return window
  }
  return {
    async *pieces(offset, lengthBytes) {
      const end = offset + lengthBytes
      for (let at = offset; at < end; ) {
        const number = Math.floor(at / windowBytes)
        const window = windowAt(number)
        window.readers += 1
        const found = pieceAt(await window.pieces, at - number * windowBytes, end - at)
        window.readers -= 1
        if (found === null) return
        const isCopied = found.length <= MAX_COPIED_BYTES
        window.isHeld ||= !isCopied
        yield isCopied ? found.slice() : found
        at += found.length
      }
    },
  }
}

type Piece = Uint8Array<ArrayBuffer>

interface Window {
  readonly pieces: Promise<readonly Piece[]>
  /** How many reads wait for it. */
  readers: number
  /** Whether somebody may have some of its bytes. */
  isHeld: boolean
}

/** Without this, the collector would free the windows of a long archive only after hundreds of megabytes of them. */
async function release({ pieces, readers, isHeld }: Window): Promise<void> {
  if (readers > 0 || isHeld) return
  for (const piece of await pieces.catch(() => [])) releaseMemory(piece)
}

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
/** Most records of an archive are shorter. */
const MAX_COPIED_BYTES = 4096
