import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { ReadWindow } from './read-window.ts'

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

/**
 * Reads a body back and decompresses it, in bounded memory. False when its size or CRC-32 differ: the body is cut off,
 * changed, or on an unreadable part of the disk.
 */
export async function isBodyIntact(
  window: ReadWindow,
  body: PackedBody,
  signal: AbortSignal,
): Promise<boolean> {
  const stored = storedPieces(window, body, signal)
  const found = body.method === 8 ? await digestOfInflated(stored, body.sizeBytes) : await digestOf(stored)
  return found !== null && found.sizeBytes === body.sizeBytes && found.crc32 === body.crc32
}

interface Digest {
  readonly sizeBytes: number
  readonly crc32: number
}

type Pieces = AsyncIterable<Uint8Array>

async function* storedPieces(window: ReadWindow, body: PackedBody, signal: AbortSignal): Pieces {
  for (let done = 0; done < body.compressedBytes; ) {
    signal.throwIfAborted()
    const piece = await window.at(body.bodyOffset + done, body.compressedBytes - done)
    if (piece.length === 0) return
    yield piece
    done += piece.length
  }
}

async function digestOf(pieces: Pieces): Promise<Digest> {
  const digest = { sizeBytes: 0, crc32: 0 }
  for await (const piece of pieces) {
    digest.sizeBytes += piece.length
    digest.crc32 = crc32(piece, digest.crc32)
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

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
