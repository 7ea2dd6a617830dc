import { isAscii } from 'node:buffer'
import { ServiceError } from '../errors.ts'
import { openStringScanner } from './json-strings.ts'

/** Parses JSON that arrives in chunks of UTF-8. Both methods throw `INVALID_REQUEST`. */
export interface JsonReader {
  /** Copies the bytes that it needs, so the caller may overwrite them afterwards. */
  write(bytes: Uint8Array): void
  /** The whole value. */
  end(): unknown
}

/** A job needs four levels: body, list, source, and fields that a client adds to a source. */
const MAX_DEPTH = 16
/** Ten for each of 5,000 sources, including fields that clients add. */
const MAX_VALUES = 50_000
/** The limit for one item of a list, and for everything outside the lists: many times more than valid texts need. */
const MAX_SEGMENT_BYTES = 1024 * 1024

/**
 * Parses a body in little more memory than its value takes. It counts nesting and values before it parses anything.
 * Lists directly in the outermost value hold a job's thousands of sources: their items are parsed one by one as they
 * arrive. The rest of the body, the frame, is parsed at the end. In the frame each list holds only its number:
 * `{"urls":["a","b"],"files":["c"]}` leaves `{"urls":[0],"files":[1]}`.
 */
export function openJsonReader(): JsonReader {
  const strings = openStringScanner()
  const lists: unknown[][] = []
  let frame = ''
  /** Chunks of the segment that is arriving: an item of a list, or a part of the frame. */
  let segment: Uint8Array[] = []
  let segmentBytes = 0
  let isInList = false
  let depth = 0
  let valueCount = 0

  function write(bytes: Uint8Array): void {
    let segmentStart = 0
    for (let at = strings.skip(bytes, 0); at < bytes.length; at = strings.skip(bytes, at + 1)) {
      switch (bytes[at]) {
        case OPEN_LIST:
        case OPEN_OBJECT:
          countValue()
          if (++depth > MAX_DEPTH) throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels.`)
          if (depth !== LIST_DEPTH || bytes[at] !== OPEN_LIST) break
          frame += finishSegment(bytes.subarray(segmentStart, at + 1)) + lists.length
          segmentStart = at + 1
          lists.push([])
          isInList = true
          break
        case COMMA:
          countValue()
          if (!isInList || depth !== LIST_DEPTH) break
          addItem(bytes.subarray(segmentStart, at))
          segmentStart = at + 1
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (isInList && depth === LIST_DEPTH) {
            addLastItem(bytes.subarray(segmentStart, at))
            segmentStart = at
            isInList = false
          }
          depth--
          break
        default:
          // Keeps one character of white space and drops those that follow it.
          if (!isSpace(bytes[at]) || !isSpace(bytes[at + 1])) break
          addToSegment(bytes.subarray(segmentStart, at + 1))
          while (isSpace(bytes[at + 1])) at++
          segmentStart = at + 1
      }
    }
    addToSegment(bytes.subarray(segmentStart))
  }

  function countValue(): void {
    if (++valueCount > MAX_VALUES) throw invalid(`The body holds more than ${MAX_VALUES} values.`)
  }

  function addToSegment(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    segmentBytes += bytes.length
    assertShort(segmentBytes)
    segment.push(bytes.slice())
  }

  /** The text of the segment that ends with these bytes. */
  function finishSegment(lastBytes: Uint8Array): string {
    const bytes = segment.length === 0 ? lastBytes : Buffer.concat([...segment, lastBytes])
    assertShort(bytes.length)
    segment = []
    segmentBytes = 0
    return decode(bytes)
  }

  function addItem(lastBytes: Uint8Array): void {
    lists.at(-1)?.push(parse(finishSegment(lastBytes)))
  }

  /** An empty list has no last item: there is only white space between its brackets. */
  function addLastItem(lastBytes: Uint8Array): void {
    const text = finishSegment(lastBytes)
    const list = lists.at(-1)
    if (list?.length !== 0 || !WHITE_SPACE.test(text)) list?.push(parse(text))
  }

  function end(): unknown {
    frame += finishSegment(new Uint8Array())
    assertShort(frame.length)
    const value: unknown = parse(frame)
    for (const list of typeof value === 'object' && value !== null ? Object.values(value) : []) {
      if (!Array.isArray(list)) continue
      // Fills the existing list, since a property named `__proto__` cannot be assigned.
      const [number] = list.splice(0)
      for (const item of lists[number] ?? []) list.push(item)
    }
    return value
  }

  return { write, end }
}

/** The depth of a list directly in the outermost value. */
const LIST_DEPTH = 2

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

/** RFC 8259, section 2. `trim` would also drop a byte order mark and other white space that JSON does not allow. */
const WHITE_SPACE = /^[ \n\r\t]*$/

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes ASCII, which nearly all JSON is, by a copy: `TextDecoder` takes ten times as long. */
function decode(bytes: Uint8Array): string {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    return UTF8.decode(bytes)
  } catch {
    throw notJson()
  }
}

/** A string without escapes needs no parser: a slice shares the memory of the text, and `JSON.parse` would copy it. */
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
  if (sizeBytes > MAX_SEGMENT_BYTES) throw invalid('A value in the body is too long.')
}

function notJson(): ServiceError {
  return invalid('The body is not JSON in UTF-8.')
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', message)
}
