import { read } from 'node:fs'
import { promisify } from 'node:util'

/**
 * The bytes of an open file from `offset` on, each piece read without blocking this thread when the consumer asks for it. Ends early
 * where the file ends. The file must stay open until the generator has ended.
 * @throws the error of the system when they can't be read
 */
export async function* readPieces(
  fd: number,
  offset: number,
  lengthBytes: number,
  pieceBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (let done = 0; done < lengthBytes; ) {
    const piece = new Uint8Array(Math.min(pieceBytes, lengthBytes - done))
    const { bytesRead } = await readAsync(fd, piece, 0, piece.length, offset + done)
    if (bytesRead === 0) return
    yield piece.subarray(0, bytesRead)
    done += bytesRead
  }
}

const readAsync = promisify(read)
