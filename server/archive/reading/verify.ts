import { InvalidDeflate, inflated } from './inflate.ts'
import type { ArchiveReader } from './reader.ts'

/** Where the body of an entry is in an archive, and what it must decompress to. */
export interface PackedBody {
  /** Offset of the local file header. */
  readonly offset: number
  /** Length of the local file header. The body follows it. */
  readonly headerBytes: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  /** CRC-32 of the uncompressed body (APPNOTE 4.4.7). */
  readonly crc32: number
  readonly method: 0 | 8
}

/** Thrown when the bytes of an entry are not those that were packed. */
export class DamagedBody extends Error {
  override readonly name = 'DamagedBody'
}

/**
 * The decompressed body of an entry in pieces, each read when the consumer asks for it, in bounded memory. The last piece comes
 * only when the size and the CRC-32 of the whole body are right, so a consumer that gets all pieces has the right bytes.
 * @throws DamagedBody in place of the last piece, or earlier: the body is cut off, changed, or on an unreadable part of the disk
 */
export async function* verifiedBody(
  reader: ArchiveReader,
  body: PackedBody,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const stored = reader.pieces(body.offset + body.headerBytes, body.compressedBytes)
  let held: Uint8Array<ArrayBuffer> | null = null
  let sizeBytes = 0
  let crc32 = 0
  try {
    for await (const piece of body.method === 8 ? inflated(stored, body) : stored) {
      sizeBytes += piece.length
      crc32 = Bun.hash.crc32(piece, crc32)
      // Damaged bytes can decompress to any size.
      if (sizeBytes > body.sizeBytes) break
      if (held !== null) yield held
      held = piece
    }
  } catch (error) {
    throw error instanceof InvalidDeflate ? new DamagedBody(error.message) : error
  }
  if (sizeBytes !== body.sizeBytes || crc32 !== body.crc32)
    throw new DamagedBody('size or CRC-32 of the body differ')
  if (held !== null) yield held
}

/** Whether the body of an entry is the one that was packed. */
export async function isIntact(
  reader: ArchiveReader,
  body: PackedBody,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for await (const _ of verifiedBody(reader, body)) signal.throwIfAborted()
    return true
  } catch (error) {
    if (error instanceof DamagedBody) return false
    throw error
  }
}
