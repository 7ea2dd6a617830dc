/** Finds where strings end in JSON that arrives in chunks (RFC 8259, section 7). */
export interface StringScanner {
  /**
   * The first position from `at` on that is outside strings and not a quote, or the length of the bytes. Call it with each
   * chunk from its start to its end: it remembers whether a string continues in the next chunk.
   */
  skip(bytes: Uint8Array, at: number): number
}

export function openStringScanner(): StringScanner {
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
