import { isAscii } from 'node:buffer'
import { ServiceError } from '../errors.ts'

/** Takes JSON as it arrives, in UTF-8. Both methods throw `INVALID_REQUEST`. */
export interface JsonReader {
  /** The bytes may be used for something else afterwards. */
  write(bytes: Uint8Array): void
  /** The whole value. */
  end(): unknown
}

/** A job needs four: body, list, source, and what a client adds to a source. */
const MAX_DEPTH = 16
/** Ten for each of the 5,000 sources of the longest list, what clients add included. */
const MAX_VALUES = 50_000
/** Of an item of a list, and of everything beside the lists: many times what the longest texts take. */
const MAX_PIECE_BYTES = 1024 * 1024

/**
 * Reads JSON so that a body costs little more than what is kept of it. Depth and the number of values are counted before
 * anything is parsed. The items of lists in the outermost value, where a job has its thousands of sources, are parsed
 * one by one as they arrive; what is left, with a number in place of each list, is parsed at the end.
 */
export function openJsonReader(): JsonReader {
  const lists: unknown[][] = []
  /** What was read of the piece under way: an item, or what stands between two lists. */
  let piece: Uint8Array[] = []
  let pieceBytes = 0
  let frame = ''
  let isInString = false
  let isEscaped = false
  let isInList = false
  let depth = 0
  let values = 0

  function write(bytes: Uint8Array): void {
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      if (isInString) {
        at = closingQuote(bytes, at)
        continue
      }
      switch (bytes[at]) {
        case QUOTE:
          isInString = true
          break
        case OPEN_LIST:
        case OPEN_OBJECT:
          countValue()
          if (++depth > MAX_DEPTH) throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels.`)
          if (depth !== LIST_DEPTH || bytes[at] !== OPEN_LIST) break
          frame += takePiece(bytes.subarray(from, at + 1)) + lists.length
          from = at + 1
          lists.push([])
          isInList = true
          break
        case COMMA:
          countValue()
          if (!isInList || depth !== LIST_DEPTH) break
          takeItem(bytes.subarray(from, at))
          from = at + 1
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (isInList && depth === LIST_DEPTH) {
            takeLastItem(bytes.subarray(from, at))
            from = at
            isInList = false
          }
          depth--
          break
        case SPACE:
        case LINE_FEED:
        case CARRIAGE_RETURN:
        case TAB:
          // Of spaces in a row, the first says all.
          if (!isSpace(bytes[at + 1])) break
          keep(bytes.subarray(from, at + 1))
          while (isSpace(bytes[at + 1])) at++
          from = at + 1
          break
      }
    }
    keep(bytes.subarray(from))
  }

  /** Where the string that goes on at `at` ends, or the end of the bytes. */
  function closingQuote(bytes: Uint8Array, at: number): number {
    const wasEscaped = isEscaped
    /** Whether what stands at `index` is escaped: an odd number of backslashes comes before it (RFC 8259, section 7). */
    const isEscapedAt = (index: number) => {
      let start = index
      while (start > at && bytes[start - 1] === BACKSLASH) start--
      return ((index - start) % 2 === 1) !== (start === at && wasEscaped)
    }
    for (let quote = bytes.indexOf(QUOTE, at); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
      if (isEscapedAt(quote)) continue
      isInString = false
      isEscaped = false
      return quote
    }
    isEscaped = isEscapedAt(bytes.length)
    return bytes.length
  }

  function countValue(): void {
    if (++values > MAX_VALUES) throw invalid(`The body holds more than ${MAX_VALUES} values.`)
  }

  function keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    pieceBytes += bytes.length
    assertShort(pieceBytes)
    piece.push(bytes.slice())
  }

  /** The text of the piece that ends with these bytes. */
  function takePiece(last: Uint8Array): string {
    const bytes = piece.length === 0 ? last : Buffer.concat([...piece, last])
    assertShort(bytes.length)
    piece = []
    pieceBytes = 0
    return textOf(bytes)
  }

  function takeItem(last: Uint8Array): void {
    lists.at(-1)?.push(parse(takePiece(last)))
  }

  /** An empty list has none. */
  function takeLastItem(last: Uint8Array): void {
    const text = takePiece(last)
    const list = lists.at(-1)
    if (list?.length !== 0 || text.trim() !== '') list?.push(parse(text))
  }

  function end(): unknown {
    frame += takePiece(new Uint8Array())
    assertShort(frame.length)
    const whole: unknown = parse(frame)
    for (const value of typeof whole === 'object' && whole !== null ? Object.values(whole) : []) {
      if (!Array.isArray(value)) continue
      // In place: a property named `__proto__` can't be assigned.
      const [number] = value.splice(0)
      for (const item of lists[number] ?? []) value.push(item)
    }
    return whole
  }

  return { write, end }
}

/** Of a list whose items are parsed one by one. */
const LIST_DEPTH = 2

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const SPACE = 0x20
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const TAB = 0x09

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The decoder takes ten times as long as a copy, and nearly all JSON is ASCII. */
function textOf(bytes: Uint8Array): string {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    return UTF8.decode(bytes)
  } catch {
    throw notJson()
  }
}

/** What needs no parser: a slice of the text is no second copy of it. */
const PLAIN_STRING = /^"[^"\\\p{Cc}]*"$/u

function parse(text: string): unknown {
  if (PLAIN_STRING.test(text)) return text.slice(1, -1)
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

function assertShort(sizeBytes: number): void {
  if (sizeBytes > MAX_PIECE_BYTES) throw invalid('A value in the body is too long.')
}

function notJson(): ServiceError {
  return invalid('The body is not JSON in UTF-8.')
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', message)
}
