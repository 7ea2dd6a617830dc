import { isAscii } from 'node:buffer'
import { ServiceError } from '../../errors.ts'

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
/**
 * The limit for one item of a list with the items that are parsed together with it, and for everything outside the lists: many
 * times more than valid texts need.
 */
const MAX_SEGMENT_BYTES = 1024 * 1024
/** Items of a list are parsed together, since to parse each by itself takes three times as long. */
const PARSED_TOGETHER_BYTES = 64 * 1024
/** White space between the items of a list that is indented. To drop it, they would have to be parsed one by one. */
const KEPT_SPACE_BYTES = 64

/**
 * Parses a body in little more memory than its value takes. It counts nesting and values before it parses anything.
 * Lists directly in the outermost value hold a job's thousands of sources: their items are parsed in groups as they
 * arrive. The rest of the body, the frame, is parsed at the end. In the frame each list holds only its number:
 * `{"urls":["a","b"],"files":["c"]}` leaves `{"urls":[0],"files":[1]}`.
 */
export function openJsonReader(): JsonReader {
  const strings = openStringScanner()
  const lists: unknown[][] = []
  let frame = ''
  /** Chunks of the segment that is arriving: items of a list, or a part of the frame. */
  let segment: Uint8Array[] = []
  let segmentBytes = 0
  let isInList = false
  let depth = 0
  let valueCount = 0

  function write(bytes: Uint8Array): void {
    let segmentStart = 0
    /** Where the last whole item in the segment ends; -1 if there is none. */
    let itemsEnd = -1
    const addWholeItems = () => {
      if (itemsEnd < 0) return
      addItems(bytes.subarray(segmentStart, itemsEnd), false)
      segmentStart = itemsEnd + 1
      itemsEnd = -1
    }
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
          itemsEnd = at
          if (at - segmentStart >= PARSED_TOGETHER_BYTES) addWholeItems()
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (isInList && depth === LIST_DEPTH) {
            addItems(bytes.subarray(segmentStart, at), true)
            segmentStart = at
            itemsEnd = -1
            isInList = false
          }
          depth--
          break
        default: {
          if (!isSpace(bytes[at])) break
          let spaceEnd = at + 1
          while (isSpace(bytes[spaceEnd])) spaceEnd++
          if (spaceEnd - at > (isInList ? KEPT_SPACE_BYTES : 1)) {
            // One character is enough between two values. The memory of a body must not grow with its white space.
            addWholeItems()
            addToSegment(bytes.subarray(segmentStart, at + 1))
            segmentStart = spaceEnd
          }
          at = spaceEnd - 1
        }
      }
    }
    addWholeItems()
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
  function finishSegment(...lastBytes: readonly Uint8Array[]): string {
    const bytes = Buffer.concat([...segment, ...lastBytes])
    assertShort(bytes.length)
    segment = []
    segmentBytes = 0
    return decode(bytes)
  }

  /** @param isLast whether the list ends here */
  function addItems(lastBytes: Uint8Array, isLast: boolean): void {
    const list = lists.at(-1) ?? []
    // As bytes, since brackets around the text would be another copy of it.
    segment.unshift(OPENING)
    const items: unknown = parse(finishSegment(lastBytes, CLOSING))
    if (!Array.isArray(items)) throw notJson()
    // There is only white space between the brackets of an empty list, and nowhere else.
    if (items.length === 0 && !(isLast && list.length === 0)) throw notJson()
    for (const item of items) list.push(item)
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

const OPENING = Buffer.from('[')
const CLOSING = Buffer.from(']')

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

/** Decodes ASCII, which nearly all JSON is, by a copy: `TextDecoder` takes ten times as long. */
function decode(bytes: Uint8Array): string {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    return UTF8.decode(bytes)
  } catch {
    throw notJson()
  }
}

function parse(text: string): unknown {
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

/** Finds where strings end in JSON that arrives in chunks (RFC 8259, section 7). */
interface StringScanner {
  /**
   * The first index from `at` on that is outside strings and not a quote, or the length of the bytes. Call it with each
   * chunk from its start to its end: it remembers whether a string continues in the next chunk.
   */
  skip(bytes: Uint8Array, at: number): number
}

function openStringScanner(): StringScanner {
  let isInString = false
  /** Whether the chunk before ended in a backslash that escapes the next byte. */
  let isNextEscaped = false

  function skip(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (isInString) at = findEnd(bytes, at)
      else if (bytes[at] === QUOTE) isInString = true
      else return at
      at++
    }
    return bytes.length
  }

  /** The quote that ends the string which continues at `start`, or the length of the bytes. */
  function findEnd(bytes: Uint8Array, start: number): number {
    const isStartEscaped = isNextEscaped
    /** A byte is escaped when an odd number of backslashes stands before it. */
    const isEscaped = (index: number) => {
      let first = index
      while (first > start && bytes[first - 1] === BACKSLASH) first--
      return ((index - first) % 2 === 1) !== (first === start && isStartEscaped)
    }
    for (let quote = bytes.indexOf(QUOTE, start); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
      if (isEscaped(quote)) continue
      isInString = false
      isNextEscaped = false
      return quote
    }
    isNextEscaped = isEscaped(bytes.length)
    return bytes.length
  }

  return { skip }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
