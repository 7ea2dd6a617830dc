import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { whenDescriptorIsFree } from '../files/open-file.ts'
import type { PackedBody } from './check-body.ts'

/** Thrown when the bytes of an entry are not those that were packed. */
export class DamagedBody extends Error {
  override readonly name = 'DamagedBody'
}

/**
 * The decompressed body of an entry in pieces, each read when the consumer asks for it. The last piece comes only when the
 * size and the CRC-32 of the whole body are right: who gets all pieces has the right bytes.
 * @throws DamagedBody in place of the last piece, or earlier
 */
export async function* verifiedBody(
  path: string,
  body: PackedBody,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const file = await whenDescriptorIsFree(() => open(path))
  try {
    const stored = storedPieces(file, body)
    yield* verified(body.method === 8 ? inflated(stored) : stored, body)
  } finally {
    await file.close()
  }
}

type Pieces = AsyncIterable<Uint8Array<ArrayBuffer>>

/** Each piece has its own memory, since the consumer may keep it. Ends early where the file does. */
async function* storedPieces(file: FileHandle, body: PackedBody): Pieces {
  for (let done = 0; done < body.compressedBytes; ) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, body.compressedBytes - done))
    const { bytesRead } = await file.read(piece, 0, piece.length, body.bodyOffset + done)
    if (bytesRead === 0) return
    yield piece.subarray(0, bytesRead)
    done += bytesRead
  }
}

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

async function* verified(pieces: Pieces, { sizeBytes, crc32: expected }: PackedBody): Pieces {
  let held: Uint8Array<ArrayBuffer> | null = null
  let doneBytes = 0
  let checksum = 0
  for await (const piece of pieces) {
    doneBytes += piece.length
    checksum = crc32(piece, checksum)
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

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

/** Large enough to make the cost of a system call negligible, small enough for thousands of downloads at once. */
const PIECE_BYTES = 256 * 1024
