import { closeSync } from 'node:fs'
import { openFile } from '../../files/open-file.ts'
import { readPieces } from '../../files/read-pieces.ts'
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

/**
 * The bytes of an open file, as an `ArchiveReader` reads them: what the disk can't give is as lost as what is behind the end. The file
 * must stay open until the generator has ended.
 */
export async function* filePieces(
  fd: number,
  offset: number,
  lengthBytes: number,
  pieceBytes = PIECE_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  try {
    yield* readPieces(fd, offset, lengthBytes, pieceBytes)
  } catch (error) {
    if (!UNREADABLE.has(systemCode(error))) throw error
  }
}

/** Large enough to make the cost of a read negligible. With many downloads at once, their pieces are shorter. */
const PIECE_BYTES = 256 * 1024

const UNREADABLE: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EIO'])
