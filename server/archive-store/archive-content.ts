import { open } from 'node:fs/promises'
import { whenDescriptorIsFree } from '../files/open-file.ts'

/** The bytes of a finished archive, on the local disk or in the archive store. */
export interface ArchiveContent {
  /** Absolute path of the file that contains them; null when they are in the archive store. */
  readonly path: string | null
  /**
   * The bytes from `start` on, in pieces with memory of their own, each read when the consumer asks for it. Ends early where
   * the file ends.
   * @throws StoreError when the archive store does not send them
   */
  pieces(start: number, lengthBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void>
  /** A link by which anyone gets them from the archive store; null when they go through this service. */
  linkFor(request: LinkRequest): string | null
}

/** A request of a client that a link answers. */
export interface LinkRequest {
  readonly method: 'GET' | 'HEAD'
  /** The `Content-Disposition` of the response. */
  readonly disposition: string
  readonly lifetimeSeconds: number
}

/** An archive on the local disk. */
export function localContent(path: string): ArchiveContent {
  return { path, pieces: (start, lengthBytes) => filePieces(path, start, lengthBytes), linkFor: () => null }
}

async function* filePieces(path: string, start: number, lengthBytes: number): AsyncGenerator<Piece, void> {
  const file = await whenDescriptorIsFree(() => open(path))
  try {
    for (let done = 0; done < lengthBytes; ) {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, lengthBytes - done))
      const { bytesRead } = await file.read(piece, 0, piece.length, start + done)
      if (bytesRead === 0) return
      yield piece.subarray(0, bytesRead)
      done += bytesRead
    }
  } finally {
    await file.close()
  }
}

type Piece = Uint8Array<ArrayBuffer>

/** Large enough to make the cost of a system call negligible, small enough for thousands of downloads at once. */
const PIECE_BYTES = 256 * 1024
