import { closeSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { openFile } from '../../files/open-file.ts'
import { systemCode } from '../../files/system-error.ts'
import type { ArchiveReader } from './reader.ts'

/** A finished archive on the local disk. It may be deleted meanwhile: its bytes stay on the disk until it is closed. */
export class LocalArchive implements ArchiveReader, Disposable {
  readonly #fd: number

  /** Null when the file is not there or can't be opened. */
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

  pieces(offset: number, lengthBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    return filePieces(this.#fd, offset, lengthBytes)
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }
}

/** The bytes of an open file, as an `ArchiveReader` reads them. The file must stay open until the generator has ended. */
export async function* filePieces(
  fd: number,
  offset: number,
  lengthBytes: number,
  pieceBytes = PIECE_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (let done = 0; done < lengthBytes; ) {
    const piece = new Uint8Array(Math.min(pieceBytes, lengthBytes - done))
    const bytesRead = await readOrNothing(fd, piece, offset + done)
    if (bytesRead === 0) return
    yield piece.subarray(0, bytesRead)
    done += bytesRead
  }
}

/** 0 at the end of the file, and where the disk can't be read: the bytes there are as lost as those behind the end. */
async function readOrNothing(fd: number, into: Uint8Array, offset: number): Promise<number> {
  try {
    return (await readAsync(fd, into, 0, into.length, offset)).bytesRead
  } catch (error) {
    if (UNREADABLE.has(systemCode(error))) return 0
    throw error
  }
}

const readAsync = promisify(read)

/** Large enough to make the cost of a read negligible. With many downloads at once, their pieces are shorter. */
const PIECE_BYTES = 256 * 1024

const UNREADABLE: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EIO'])
