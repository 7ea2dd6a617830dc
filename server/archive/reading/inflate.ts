import { pipeline } from 'node:stream/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'

/** Thrown when bytes are not valid DEFLATE, or are that of a longer body. */
export class InvalidDeflate extends Error {
  override readonly name = 'InvalidDeflate'
}

type Pieces = AsyncIterable<Uint8Array<ArrayBuffer>>

/**
 * Decompresses a body. Small ones in one step: a stream for each of thousands of texts takes ten times as long. Others in pieces, no
 * more than a few ahead of the consumer.
 * @param body its lengths, compressed and not. Damaged bytes can decompress to any length
 * @throws InvalidDeflate
 */
export function inflated(
  stored: Pieces,
  body: { readonly compressedBytes: number; readonly sizeBytes: number },
): Pieces {
  const isSmall = Math.max(body.compressedBytes, body.sizeBytes) <= PIECE_BYTES
  return isSmall ? inflatedAtOnce(stored, body.sizeBytes) : inflatedInPieces(stored)
}

async function* inflatedAtOnce(stored: Pieces, sizeBytes: number): Pieces {
  const bytes = Buffer.concat(await Array.fromAsync(stored))
  try {
    yield new Uint8Array(inflateRawSync(bytes, { maxOutputLength: Math.max(sizeBytes, 1) }))
  } catch (error) {
    throw isZlibError(error) ? new InvalidDeflate('the body is not valid DEFLATE') : error
  }
}

async function* inflatedInPieces(stored: Pieces): Pieces {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES })
  let failure: unknown = null
  // An error also ends the loop below.
  const fed = pipeline(stored, inflate).catch((error: unknown) => {
    failure ??= error
  })
  try {
    for await (const piece of inflate) yield piece
  } catch (error) {
    await fed
    // That of reading the bytes, not that of the stream which it ends.
    const cause = failure ?? error
    throw isZlibError(cause) ? new InvalidDeflate('the body is not valid DEFLATE') : cause
  } finally {
    inflate.destroy()
    // The file must not be closed while a piece is read.
    await fed
  }
}

/** Whether bytes could not be decompressed: they are not valid DEFLATE, or more than `maxOutputLength` came out of them. */
function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_|^ERR_BUFFER_TOO_LARGE$/.test(String(error.code))
}

/** To inflate this much takes a millisecond. */
const PIECE_BYTES = 256 * 1024
