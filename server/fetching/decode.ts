import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { Semaphore } from '../semaphore.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { SourceResponse } from './response.ts'

type Body = AsyncIterable<Uint8Array<ArrayBuffer>>

/**
 * Decodes the content encodings of a response (RFC 9110 section 8.4). Some servers encode even though the request accepts no
 * encoding.
 * @returns null when the body is to be stored as received
 * @throws FetchFailure `Unreadable content encoding` for too many encodings
 */
export function decodedBody(response: SourceResponse): Body | null {
  const codings = contentCodings(response.headers)
  if (codings.length === 0 || isCompressedFile(response, codings)) return null
  // Codings are listed in the order in which they were applied.
  return codings.reduceRight((body, coding) => decodeOne(body, coding, response.signal), response.body)
}

/** The encodings except `identity`. RFC 9110 section 5.6.1 allows empty list members between them. */
function contentCodings(headers: SourceResponse['headers']): readonly string[] {
  const header = headers.get('content-encoding')
  if (header === null) return NO_CODINGS
  const codings: string[] = []
  for (const [member] of header.toLowerCase().matchAll(/[^\s,][^,]*/g)) {
    const coding = member.trim()
    if (coding === 'identity') continue
    if (codings.length === MAX_CODINGS) throw new FetchFailure('Unreadable content encoding')
    // Each Brotli decoder needs the only slot, so the second decoder of one body would wait forever.
    if (coding === 'br' && codings.includes('br')) throw new FetchFailure('Unreadable content encoding')
    codings.push(coding)
  }
  return codings
}

const NO_CODINGS: readonly string[] = []

/** Servers such as Apache label the file `foo.tar.gz` as gzip-encoded: the client wants the compressed file. */
function isCompressedFile(response: SourceResponse, codings: readonly string[]): boolean {
  if (codings.length !== 1 || !/^(x-)?gzip$/.test(codings[0] ?? '')) return false
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[^?]*\.t?gz(?:\?|$)/i.test(response.url.path) || GZIP_TYPES.has(type)
}

const GZIP_TYPES = new Set([
  'application/gzip',
  'application/x-gzip',
  'application/x-tgz',
  'application/x-gtar',
])

async function* decodeOne(body: Body, coding: string, signal: AbortSignal): Body {
  const iterator = body[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return
  using _slot = coding === 'br' ? await brotliSlots.acquire(signal) : null
  const decoder = createDecoder(coding, first.value)
  const source = Readable.from(rejoin(first.value, iterator), { objectMode: false })
  pipeline(source, decoder, () => {
    // Errors of source and decoder reach the reader below through the decoder.
  })
  try {
    for await (const piece of decoder) yield piece
  } catch (error) {
    throw error instanceof Error && 'errno' in error ? new FetchFailure('Unreadable content encoding') : error
  }
}

/**
 * A few hundred bytes of Brotli can require a window of 16 MiB (RFC 7932 section 9.1): each thread, and so each job, decodes
 * one Brotli body at a time, from its first piece to its last.
 */
const brotliSlots = new Semaphore(1)

function createDecoder(coding: string, first: Uint8Array) {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return isZlibHeader(first) ? createInflate() : createInflateRaw()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new FetchFailure('Unreadable content encoding')
  }
}

/** `deflate` means the zlib format (RFC 9110 section 8.4.1.2), but some servers send the raw stream (as IIS did). */
function isZlibHeader(first: Uint8Array): boolean {
  const [cmf = 0, flags = 0] = first
  return (cmf & 0x0f) === 8 && ((cmf << 8) | flags) % 31 === 0
}

async function* rejoin(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  yield first
  for (;;) {
    const { done, value } = await rest.next()
    if (done) return
    yield value
  }
}

/** Two: a compressed file from a server that compresses again. Each encoding costs a decoder and its memory. */
const MAX_CODINGS = 2
