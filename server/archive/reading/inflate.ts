import { InvalidDeflate, type Pieces } from './unpacked.ts'

/**
 * Decompresses a body, which must take all bytes. Small bodies are inflated in one step: one stream per text takes ten times as long.
 * Larger bodies are inflated in pieces, no more than a few ahead of the consumer.
 * @param body its lengths, compressed and not. Damaged bytes can decompress to any length
 * @throws InvalidDeflate
 */
export function inflated(
  stored: Pieces,
  body: { readonly compressedBytes: number; readonly sizeBytes: number },
  pieceBytes = PIECE_BYTES,
): Pieces {
  const { compressedBytes, sizeBytes } = body
  return Math.max(compressedBytes, sizeBytes) <= pieceBytes
    ? inflatedAtOnce(stored, sizeBytes)
    : inflatedInPieces(stored, compressedBytes, pieceBytes)
}

async function* inflatedAtOnce(stored: Pieces, sizeBytes: number): Pieces {
  const bytes = Buffer.concat(await Array.fromAsync(stored))
  let result: unknown
  try {
    result = nodeZlib().inflateRawSync(bytes, { maxOutputLength: Math.max(sizeBytes, 1), info: true })
  } catch (error) {
    throw isZlibError(error) ? new InvalidDeflate('the body is not valid DEFLATE') : error
  }
  if (!hasInfo(result)) throw new TypeError('no result with info')
  assertAllUsed(result.engine.bytesWritten, bytes.length)
  yield new Uint8Array(result.buffer)
}

async function* inflatedInPieces(stored: Pieces, compressedBytes: number, pieceBytes: number): Pieces {
  const options = { chunkSize: pieceBytes, highWaterMark: Math.min(pieceBytes, STREAM_BYTES) }
  const inflate = nodeZlib().createInflateRaw(options)
  let failure: unknown = null
  const { pipeline } = process.getBuiltinModule('node:stream/promises')
  // An error also ends the loop below.
  const fed = pipeline(stored, inflate).catch((error: unknown) => {
    failure ??= error
  })
  try {
    for await (const piece of inflate) yield piece
    assertAllUsed(inflate.bytesWritten, compressedBytes)
  } catch (error) {
    await fed
    // That of reading the bytes, not that of the stream which it ends.
    const cause = failure ?? error
    if (error instanceof InvalidDeflate) throw error
    throw isZlibError(cause) ? new InvalidDeflate('the body is not valid DEFLATE') : cause
  } finally {
    inflate.destroy()
    // The file must not be closed while a piece is read.
    await fed
  }
}

/** Loaded when something is inflated: it takes each thread some megabytes, and a start some milliseconds. */
const nodeZlib = () => process.getBuiltinModule('node:zlib')

/** Bytes after the end of the DEFLATE data would be in the archive, and in no file. */
function assertAllUsed(usedBytes: number, compressedBytes: number): void {
  if (usedBytes !== compressedBytes) throw new InvalidDeflate('bytes follow the DEFLATE data')
}

/** Whether bytes could not be decompressed: they are not valid DEFLATE, or more than `maxOutputLength` came out of them. */
function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_|^ERR_BUFFER_TOO_LARGE$/.test(String(error.code))
}

/** What `info` makes of a result, which the types of Node leave out. */
interface ResultWithInfo {
  readonly buffer: Uint8Array
  readonly engine: { readonly bytesWritten: number }
}

function hasInfo(result: unknown): result is ResultWithInfo {
  return typeof result === 'object' && result !== null && 'engine' in result && 'buffer' in result
}

/** Held in front of the decoder and behind it, when pieces are longer. */
const STREAM_BYTES = 64 * 1024

/** To inflate this much takes a millisecond. */
const PIECE_BYTES = 256 * 1024
