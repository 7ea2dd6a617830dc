import { Semaphore } from '../../semaphore.ts'
import { FetchFailure } from '../attempts/fetch-failure.ts'
import type { SourceResponse } from '../response.ts'
import { type ContentCoding, contentCodings, isFormatOfFile } from './content-codings.ts'
import { nameInHead } from './content-disposition.ts'
import { ZstdFrames } from './zstd-frames.ts'

type Body = AsyncIterable<Uint8Array<ArrayBuffer>>

/**
 * Decodes the content codings of a response (RFC 9110 section 8.4). Some servers encode even though the request accepts no coding.
 * @param namesAskedFor the path of the submitted URL, and the name that the client requested
 * @param collect receives a whole body before it gives its first piece
 * @returns null when the body is to be stored as received
 * @throws FetchFailure `Unreadable content encoding` for codings that can't be decoded
 */
export function decodedBody(
  response: SourceResponse,
  namesAskedFor: readonly string[],
  collect: (body: Body) => Body,
): Body | null {
  const codings = codingsToDecode(response, namesAskedFor)
  if (codings.length === 0) return null
  // No real server applies both, and each would be collected.
  if (codings.filter((coding) => NEEDS_LARGE_WINDOW.has(coding)).length > 1) throw unreadable()
  return codings.reduceRight((body, coding) => {
    const ready = NEEDS_LARGE_WINDOW.has(coding) ? collect(body) : body
    return decodeOne(ready, coding, response.signal)
  }, response.body)
}

/** All codings but the first one applied, if that is the format of the file. */
function codingsToDecode(
  { headers, url }: SourceResponse,
  namesAskedFor: readonly string[],
): readonly ContentCoding[] {
  const codings = contentCodings(headers)
  const [first] = codings
  if (first === undefined) return codings
  const names = [...namesAskedFor, url.pathname, nameInHead(headers) ?? '']
  const mediaType = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return isFormatOfFile(first, names, mediaType) ? codings.slice(1) : codings
}

/** A body that ends early, or goes on after its end, is never taken for a whole one. */
async function* decodeOne(body: Body, coding: ContentCoding, signal: AbortSignal): Body {
  const iterator = body[Symbol.asyncIterator]()
  const beginning = await beginningOf(iterator)
  if (beginning.length === 0) return
  using _slot = NEEDS_LARGE_WINDOW.has(coding) ? await largeWindowSlots.acquire(signal) : null
  const decoder = createDecoder(coding, beginning)
  const frames = coding === 'zstd' ? new ZstdFrames() : null
  let sentBytes = 0
  let failure: unknown = null
  const count = (piece: Uint8Array) => {
    sentBytes += piece.length
    frames?.follow(piece)
  }

  async function* counted(): AsyncIterable<Uint8Array> {
    count(beginning)
    yield beginning
    for (;;) {
      // Not around `yield`, where the pipeline throws when it closes the source.
      const { done, value } = await iterator.next().catch((error: unknown) => {
        failure = error
        throw error
      })
      if (done) return
      count(value)
      yield value
    }
  }

  const { pipeline, Readable } = process.getBuiltinModule('node:stream')
  pipeline(Readable.from(counted(), { objectMode: false }), decoder, () => {
    // Errors of source and decoder reach the reader below through the decoder.
  })
  try {
    for await (const piece of decoder) yield piece
  } catch (error) {
    if (failure !== null) throw failure
    signal.throwIfAborted()
    // An AbortError: the coding has ended, and the pipeline closed the decoder because more bytes came after it.
    const isOfDecoder = error instanceof Error && ('errno' in error || error.name === 'AbortError')
    throw isOfDecoder ? unreadable() : error
  }
  // The decoder reads no further than to the end of the coding.
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) count(next.value)
  if (failure !== null) throw failure
  if (sentBytes !== decoder.bytesWritten || frames?.areWhole === false) throw unreadable()
}

/** As many pieces as tell how to decode the body. */
async function beginningOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for (let bytes = 0; bytes < ZLIB_HEADER_BYTES; ) {
    const { done, value } = await iterator.next()
    if (done) break
    pieces.push(value)
    bytes += value.length
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}

function createDecoder(coding: ContentCoding, beginning: Uint8Array) {
  // Loaded with the first encoded body: with its streams, each thread that has the module needs some megabytes for it.
  const zlib = process.getBuiltinModule('node:zlib')
  switch (coding) {
    case 'gzip':
      return zlib.createGunzip()
    case 'deflate':
      return isZlibHeader(beginning) ? zlib.createInflate() : zlib.createInflateRaw()
    case 'br':
      return zlib.createBrotliDecompress()
    case 'zstd':
      return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })
    default:
      throw unreadable()
  }
}

/** `deflate` means the zlib format (RFC 9110 section 8.4.1.2), but some servers send the raw stream (as IIS did). */
function isZlibHeader([cmf = 0, flags = 0]: Uint8Array): boolean {
  return (cmf & 0x0f) === 8 && ((cmf << 8) | flags) % 31 === 0
}

function unreadable(): FetchFailure {
  return new FetchFailure('Unreadable content encoding')
}

const ZLIB_HEADER_BYTES = 2

/** 8 MiB, the most that the coding `zstd` allows (RFC 9659 section 3). */
const ZSTD_WINDOW_LOG = 23

/**
 * A few hundred bytes of Brotli can require a window of 16 MiB (RFC 7932 section 9.1), and of Zstandard one of 8 MiB: each thread,
 * and so each job, decodes one such body at a time. It is collected first: a source that sends slowly must not keep others waiting.
 */
const NEEDS_LARGE_WINDOW: ReadonlySet<ContentCoding> = new Set(['br', 'zstd'])
const largeWindowSlots = new Semaphore(1)
