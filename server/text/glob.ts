/**
 * Reads a pattern, in which `*` stands for any characters and `?` for one; upper and lower case are the same. The result tells whether
 * a text matches. It reads each character of the text once, for 32 characters of the pattern at a time: a regular expression, or going
 * back to the last `*`, takes 80 s for a page of the longest URLs. The web interface imports this file, which must stay pure.
 */
export function globMatcher(pattern: string): (text: string) => boolean {
  const { length, stays, ofCode, ofOthers } = readPattern(pattern.toLowerCase())
  const words = stays.length
  return (text) => {
    const given = text.toLowerCase()
    /** Bit n is set if the text so far matches the first n characters of the pattern, without its `*`. */
    const matched = new Int32Array(words)
    matched[0] = 1
    for (let at = 0; at < given.length; at++) {
      const places = ofCode.get(given.charCodeAt(at)) ?? ofOthers
      let carry = 0
      let any = 0
      for (let word = 0; word < words; word++) {
        const before = matched[word] ?? 0
        const next = (((before << 1) | carry) & (places[word] ?? 0)) | (before & (stays[word] ?? 0))
        carry = before >>> 31
        matched[word] = next
        any |= next
      }
      if (any === 0) return false
    }
    return hasBit(matched, length)
  }
}

/** What the steps through a pattern need. Each list has a bit for each number of characters that may have matched. */
interface Steps {
  /** Characters without `*`. */
  readonly length: number
  /** Where a `*` follows: any character leads back there. */
  readonly stays: Int32Array
  /** Where each character leads to, by its code. */
  readonly ofCode: ReadonlyMap<number, Int32Array>
  /** Where those lead to that the pattern does not have: behind each `?`. */
  readonly ofOthers: Int32Array
}

function readPattern(pattern: string): Steps {
  const characters = pattern.replaceAll('*', '')
  const { length } = characters
  const words = Math.floor(length / 32) + 1
  const [stays, ofOthers] = [new Int32Array(words), new Int32Array(words)]
  let place = 0
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '*') setBit(stays, place)
    else place++
    if (pattern[at] === '?') setBit(ofOthers, place)
  }
  const ofCode = new Map<number, Int32Array>()
  for (let at = 0; at < length; at++) {
    if (characters[at] === '?') continue
    const code = characters.charCodeAt(at)
    const places = ofCode.get(code) ?? ofOthers.slice()
    setBit(places, at + 1)
    ofCode.set(code, places)
  }
  return { length, stays, ofCode, ofOthers }
}

function setBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31))
}

function hasBit(words: Int32Array, bit: number): boolean {
  return ((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
}
