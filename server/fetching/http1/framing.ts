import { Http1Failure } from './failure.ts'
import { LF, type ResponseHead } from './head.ts'

/** Finds the end of a body. */
export interface Framing {
  /** Whether all of the body has been taken. */
  readonly isDone: boolean
  /** Whether the end of the connection is the end of the body. */
  readonly endsWithConnection: boolean
  /**
   * Takes what belongs to the body from received bytes, and adds the parts that are its data.
   * @returns how many of the bytes belong to the body; the others come after it
   */
  take(bytes: Buffer, parts: Buffer[]): number
}

/**
 * The framing of a response (RFC 9112 section 6.3). Transfer-Encoding overrides Content-Length.
 * @throws Http1Failure `malformed` for lengths that differ, and for transfer codings other than chunked
 */
export function framingOf({ status, headers }: ResponseHead, method: 'GET' | 'HEAD'): Framing {
  if (method === 'HEAD' || status === 204 || status === 304) return new LengthFraming(0)
  const codings = listOf(headers.get('transfer-encoding')).filter((coding) => coding !== 'identity')
  if (codings.length > 0) {
    if (codings.length > 1 || codings[0] !== 'chunked') throw new Http1Failure('malformed', 'transfer coding')
    return new ChunkedFraming()
  }
  const length = headers.get('content-length')
  return length === null ? new CloseFraming() : new LengthFraming(parseLength(length))
}

/** Whether the connection may serve another request after this response, as far as its head says (RFC 9112 section 9.3). */
export function allowsReuse({ httpVersion, headers }: ResponseHead): boolean {
  const options = listOf(headers.get('connection'))
  if (options.includes('close')) return false
  // Another reader may find another end of such a response (RFC 9112 section 6.3).
  if (headers.get('transfer-encoding') !== null && headers.get('content-length') !== null) return false
  return httpVersion === '1.1' || options.includes('keep-alive')
}

function listOf(value: string | null): readonly string[] {
  if (value === null) return []
  const members = value.split(',').map((member) => member.trim().toLowerCase())
  return members.filter((member) => member !== '')
}

/** A list of equal lengths is one length (RFC 9110 section 8.6). */
function parseLength(text: string): number {
  if (text.includes(',')) {
    const [first = '', ...others] = text.split(',').map((member) => member.trim())
    if (others.every((other) => other === first)) return parseLength(first)
  }
  const length = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(length)) {
    throw new Http1Failure('malformed', 'Content-Length')
  }
  return length
}

class LengthFraming implements Framing {
  readonly endsWithConnection = false
  #leftBytes: number

  constructor(lengthBytes: number) {
    this.#leftBytes = lengthBytes
  }

  get isDone(): boolean {
    return this.#leftBytes === 0
  }

  take(bytes: Buffer, parts: Buffer[]): number {
    const used = Math.min(this.#leftBytes, bytes.length)
    this.#leftBytes -= used
    if (used > 0) parts.push(bytes.subarray(0, used))
    return used
  }
}

class CloseFraming implements Framing {
  readonly isDone = false
  readonly endsWithConnection = true

  take(bytes: Buffer, parts: Buffer[]): number {
    if (bytes.length > 0) parts.push(bytes)
    return bytes.length
  }
}

/** RFC 9112 section 7.1. Extensions and trailers are skipped. A line may end with LF alone, as in a head. */
class ChunkedFraming implements Framing {
  readonly endsWithConnection = false
  isDone = false
  /** The next to arrive, in this order; after `data-end`, another `size`. */
  #next: 'size' | 'data' | 'data-end' | 'trailer' = 'size'
  /** Of the current chunk, in bytes. */
  #leftBytes = 0
  /** The begin of a line whose end has not arrived. */
  #line = ''
  #trailerBytes = 0

  take(bytes: Buffer, parts: Buffer[]): number {
    let at = 0
    while (at < bytes.length && !this.isDone) {
      at = this.#next === 'data' ? this.#takeData(bytes, at, parts) : this.#takeLine(bytes, at)
    }
    return at
  }

  #takeData(bytes: Buffer, from: number, parts: Buffer[]): number {
    const end = Math.min(from + this.#leftBytes, bytes.length)
    parts.push(bytes.subarray(from, end))
    this.#leftBytes -= end - from
    if (this.#leftBytes === 0) this.#next = 'data-end'
    return end
  }

  #takeLine(bytes: Buffer, from: number): number {
    const lineEnd = bytes.indexOf(LF, from)
    const end = lineEnd < 0 ? bytes.length : lineEnd
    if (this.#line.length + end - from > MAX_LINE_BYTES) throw new Http1Failure('malformed', 'chunk line')
    this.#line += bytes.toString('latin1', from, end)
    if (lineEnd < 0) return end
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line
    this.#line = ''
    this.#endLine(line)
    return lineEnd + 1
  }

  #endLine(line: string): void {
    if (this.#next === 'data-end') {
      if (line !== '') throw new Http1Failure('malformed', 'end of a chunk')
      this.#next = 'size'
    } else if (this.#next === 'size') {
      const digits = CHUNK_SIZE.exec(line)?.[1]
      if (digits === undefined) throw new Http1Failure('malformed', 'size of a chunk')
      this.#leftBytes = Number.parseInt(digits, 16)
      this.#next = this.#leftBytes === 0 ? 'trailer' : 'data'
    } else if (line === '') {
      this.isDone = true
    } else {
      this.#trailerBytes += line.length
      if (this.#trailerBytes > MAX_TRAILER_BYTES) throw new Http1Failure('malformed', 'trailers')
    }
  }
}

/** Up to 2^52, with the padding that some servers add. */
const CHUNK_SIZE = /^[ \t]*0*([0-9a-f]{1,13})[ \t]*(?:;.*)?$/i
const MAX_LINE_BYTES = 16 * 1024
const MAX_TRAILER_BYTES = 256 * 1024
