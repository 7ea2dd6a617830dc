import { pipeline } from 'node:stream/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { isZlibError } from './zlib-error.ts'

/** The location of an entry's body, and the expected result of decompressing it. */
export interface PackedBody {
  /** Offset of the stored bytes in the archive, after the local file header. */
  readonly bodyOffset: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  /** CRC-32 of the uncompressed body (APPNOTE 4.4.7). */
  readonly crc32: number
  readonly method: 0 | 8
}

/** Reads an archive in pieces. */
export interface PieceReader {
  /**
   * Returns between 1 and `maxBytes` bytes from `position` on, valid until the next call. None at the end of the file and
   * where the disk can't be read.
   */
  at(position: number, maxBytes: number): Promise<Uint8Array>
}

/**
 * Reads a body back and decompresses it, in bounded memory. False when its size or CRC-32 differ: the body is cut off,
 * changed, or on an unreadable part of the disk.
 * @param onPiece called with each piece of the stored bytes, which is valid until it returns
 */
export async function isBodyIntact(
  reader: PieceReader,
  body: PackedBody,
  signal: AbortSignal,
  onPiece: (piece: Uint8Array) => void = () => {},
): Promise<boolean> {
  const stored = storedPieces(reader, body, signal, onPiece)
  const found = body.method === 8 ? await digestOfInflated(stored, body.sizeBytes) : await digestOf(stored)
  return found !== null && found.sizeBytes === body.sizeBytes && found.crc32 === body.crc32
}

/** The same for the stored bytes of a small body. */
export function isIntactInMemory(stored: Uint8Array, body: Omit<PackedBody, 'bodyOffset'>): boolean {
  const content = body.method === 8 ? inflated(stored, body.sizeBytes) : stored
  return content !== null && content.length === body.sizeBytes && Bun.hash.crc32(content) === body.crc32
}

/** Null when the bytes are not valid DEFLATE, or more than `maxBytes`. */
function inflated(stored: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return inflateRawSync(stored, { maxOutputLength: Math.max(maxBytes, 1) })
  } catch (error) {
    if (isZlibError(error)) return null
    throw error
  }
}

interface Digest {
  readonly sizeBytes: number
  readonly crc32: number
}

type Pieces = AsyncIterable<Uint8Array>

async function* storedPieces(
  reader: PieceReader,
  body: PackedBody,
  signal: AbortSignal,
  onPiece: (piece: Uint8Array) => void,
): Pieces {
  for (let done = 0; done < body.compressedBytes; ) {
    signal.throwIfAborted()
    const piece = await reader.at(body.bodyOffset + done, body.compressedBytes - done)
    if (piece.length === 0) return
    onPiece(piece)
    done += piece.length
    // The decompression of one piece may not have ended when the next one is read to the same memory.
    yield body.method === 8 ? piece.slice() : piece
  }
}

async function digestOf(pieces: Pieces): Promise<Digest> {
  const digest = { sizeBytes: 0, crc32: 0 }
  for await (const piece of pieces) {
    digest.sizeBytes += piece.length
    digest.crc32 = Bun.hash.crc32(piece, digest.crc32)
  }
  return digest
}

/** Null when the bytes are not valid DEFLATE, or more than `maxBytes`: damaged bytes can decompress to any size. */
async function digestOfInflated(pieces: Pieces, maxBytes: number): Promise<Digest | null> {
  try {
    return await pipeline(pieces, createInflateRaw(), (inflated: Pieces) =>
      digestOf(atMost(inflated, maxBytes)),
    )
  } catch (error) {
    if (error instanceof TooLong || isZlibError(error)) return null
    throw error
  }
}

async function* atMost(pieces: Pieces, maxBytes: number): Pieces {
  let sizeBytes = 0
  for await (const piece of pieces) {
    sizeBytes += piece.length
    if (sizeBytes > maxBytes) throw new TooLong()
    yield piece
  }
}

class TooLong extends Error {}
