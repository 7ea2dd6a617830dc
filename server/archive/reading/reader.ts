import { concatenated } from '../../bytes.ts'

/**
 * Reads the bytes of an archive. A file (`LocalArchive`), a file that is being written (`ArchiveFile`) or downloaded (`PartFile`), and an
 * object in a bucket (`ArchiveContent`, `LinkedArchive`) implement it.
 */
export interface ArchiveReader {
  /**
   * The bytes from `offset` on, each piece read without blocking this thread when the consumer asks for it. A piece stays as it is
   * while it is held, and must not be changed. Ends early where the archive ends and where the disk can't be read.
   */
  pieces(offset: number, lengthBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

/** All bytes of a range that is small enough for memory; fewer where the archive ends or can't be read. */
export async function readRange(
  reader: ArchiveReader,
  offset: number,
  lengthBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of reader.pieces(offset, lengthBytes)) pieces.push(piece)
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? first : concatenated(pieces)
}
