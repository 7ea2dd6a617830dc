import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import type { ArchiveContent } from '../../archive-store/archive-content.ts'
import type { PackedBody } from './check-body.ts'
import { isZlibError } from './zlib-error.ts'

/** Thrown when the bytes of an entry are not those that were packed. */
export class DamagedBody extends Error {
  override readonly name = 'DamagedBody'
}

/**
 * The decompressed body of an entry in pieces, each read when the consumer asks for it. The last piece comes only when the
 * size and the CRC-32 of the whole body are right, so a consumer that gets all pieces has the right bytes.
 * @throws DamagedBody in place of the last piece, or earlier
 */
export function verifiedBody(
  archive: Pick<ArchiveContent, 'pieces'>,
  body: PackedBody,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const stored = archive.pieces(body.bodyOffset, body.compressedBytes)
  return verified(body.method === 8 ? inflated(stored) : stored, body)
}

type Pieces = AsyncIterable<Uint8Array<ArrayBuffer>>

/** Decompresses no more than a few pieces ahead of the consumer. */
async function* inflated(stored: Pieces): Pieces {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES })
  // An error also ends the loop below, which reports it.
  const fed = pipeline(stored, inflate).catch(() => {})
  try {
    for await (const piece of inflate) yield piece
  } catch (error) {
    throw isZlibError(error) ? new DamagedBody('the body is not valid DEFLATE') : error
  } finally {
    inflate.destroy()
    // The file must not be closed while a piece is read.
    await fed
  }
}

async function* verified(
  pieces: Pieces,
  { sizeBytes, crc32: expected }: PackedBody,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let held: Uint8Array<ArrayBuffer> | null = null
  let doneBytes = 0
  let checksum = 0
  for await (const piece of pieces) {
    doneBytes += piece.length
    checksum = Bun.hash.crc32(piece, checksum)
    // Damaged bytes can decompress to any size.
    if (doneBytes > sizeBytes) break
    if (held !== null) yield held
    held = piece
  }
  if (doneBytes !== sizeBytes || checksum !== expected) {
    throw new DamagedBody('size or CRC-32 of the body differ')
  }
  if (held !== null) yield held
}

/** Large enough to make the cost of a system call negligible, small enough for thousands of downloads at once. */
const PIECE_BYTES = 256 * 1024
