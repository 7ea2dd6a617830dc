// server/decisions/segments.md says why a body is divided in this way.

import { combineCrc32 } from '../../archive/crc32-combine.ts'
import type { Stretch } from '../checkpoint/checkpoint.ts'

/** A part of a body that one connection fetches, from its start to its end. */
export interface Segment {
  /** Where its first byte is in the body, also of what arrived over an earlier connection. */
  readonly start: number
  /** The next byte to arrive. */
  readonly at: number
  /** The byte after the last one. It becomes lower when another connection takes the rest of the segment. */
  readonly end: number
  /** Of the bytes from `start` to `at`. */
  readonly crc32: number
}

/** How long segments are. */
export interface SegmentSizes {
  /** A segment has so many bytes if no connection has begun to fetch them. */
  readonly usualBytes: number
  /** Fewer are not worth a request. */
  readonly leastBytes: number
}

/**
 * Knows which bytes of a body have arrived, and divides the others among connections. Does no I/O.
 *
 * A connection gets the first bytes that none fetches, `usualBytes` of them. If there are none, it gets half of the longest segment that
 * another one fetches. The first response is a segment up to the end of the body: all but `usualBytes` of it are free for others.
 */
export class SegmentPlan {
  readonly totalBytes: number
  /** In the order of their bytes. Together they are the whole body. */
  #parts: Part[]

  /** @param received what has arrived already, in the order of its bytes */
  constructor(totalBytes: number, received: readonly Stretch[] = []) {
    this.totalBytes = totalBytes
    this.#parts = []
    let offset = 0
    for (const { start, end, crc32 } of received) {
      if (start > offset) this.#parts.push(missing(offset, start))
      this.#parts.push({ start, at: end, end, crc32, isTaken: false })
      offset = end
    }
    if (offset < totalBytes) this.#parts.push(missing(offset, totalBytes))
    this.#joinParts()
  }

  get receivedBytes(): number {
    return this.#parts.reduce((sum, { start, at }) => sum + at - start, 0)
  }

  /** How many bytes have arrived from the start of the body without a gap. */
  get prefixBytes(): number {
    let prefixBytes = 0
    for (const { at, end } of this.#parts) {
      prefixBytes = at
      if (at < end) break
    }
    return prefixBytes
  }

  get isWhole(): boolean {
    return this.receivedBytes === this.totalBytes
  }

  /** What has arrived, in the order of its bytes. Two stretches don't touch. */
  stretches(): Stretch[] {
    const stretches: Stretch[] = []
    for (const { start, at: end, crc32 } of this.#parts) {
      const before = stretches.at(-1)
      if (start === end) continue
      if (before?.end !== start) stretches.push({ start, end, crc32 })
      else stretches[stretches.length - 1] = joined(before, { start, end, crc32 })
    }
    return stretches
  }

  /** The first bytes that have not arrived and that no connection fetches; null if there are none. */
  firstMissing(): { readonly start: number; readonly end: number } | null {
    const part = this.#firstFree()
    return part === undefined ? null : { start: part.at, end: part.end }
  }

  /** All of `firstMissing`, for one connection. */
  takeFirst(): Segment | null {
    const part = this.#firstFree()
    if (part !== undefined) part.isTaken = true
    return part ?? null
  }

  /** A segment for one more connection; null if none is worth it. */
  take(sizes: SegmentSizes): Segment | null {
    const free = this.#firstFree()
    if (free !== undefined) {
      const isLonger = free.end - free.at >= sizes.usualBytes + sizes.leastBytes
      if (isLonger) this.#split(free, free.at + sizes.usualBytes)
      free.isTaken = true
      return free
    }
    const longest = this.#longestTaken()
    if (longest === undefined || !isWorthHalving(longest, sizes)) return null
    const middle = longest.end - Math.floor((longest.end - longest.at) / 2)
    const afterUsual = longest.at + sizes.usualBytes
    this.#split(longest, Math.min(middle, afterUsual))
    return this.take(sizes)
  }

  /** How many bytes `take` has to choose from; 0 if it would find no segment. */
  divisibleBytes(sizes: SegmentSizes): number {
    const freeBytes = this.#parts.reduce((sum, { isTaken, at, end }) => sum + (isTaken ? 0 : end - at), 0)
    const longest = this.#longestTaken()
    if (freeBytes > 0 || longest === undefined || !isWorthHalving(longest, sizes)) return freeBytes
    return (longest.end - longest.at) / 2
  }

  /**
   * The next bytes of a segment have arrived.
   * @param crc32 of all bytes of the segment so far
   */
  arrived(segment: Segment, bytes: number, crc32: number): void {
    const part = this.#partOf(segment)
    if (part.at + bytes > part.end) throw new RangeError('a segment runs past its end')
    part.crc32 = crc32
    part.at += bytes
  }

  /** The connection has ended. What has not arrived of the segment is free for others. */
  release(segment: Segment): void {
    this.#partOf(segment).isTaken = false
    this.#joinParts()
  }

  /** Whether the segment is a part of the body, and not forgotten. */
  has(segment: Segment): boolean {
    return this.#parts.some((part) => part === segment)
  }

  /**
   * The segment alone fetches all bytes from its next one to the end of the body. What has arrived of them is forgotten, as are all other
   * segments.
   * @returns how many bytes that have arrived are forgotten
   */
  extendToEnd(segment: Segment): number {
    const part = this.#partOf(segment)
    const receivedBytes = this.receivedBytes
    this.#parts.length = this.#parts.indexOf(part) + 1
    part.end = this.totalBytes
    return receivedBytes - this.receivedBytes
  }

  #firstFree(): Part | undefined {
    return this.#parts.find(({ isTaken, at, end }) => !isTaken && at < end)
  }

  #longestTaken(): Part | undefined {
    let longest: Part | undefined
    for (const part of this.#parts)
      if (part.isTaken && part.end - part.at > (longest === undefined ? 0 : longest.end - longest.at))
        longest = part
    return longest
  }

  /** The bytes from `offset` on become a part of their own. */
  #split(part: Part, offset: number): void {
    this.#parts.splice(this.#parts.indexOf(part) + 1, 0, missing(offset, part.end))
    part.end = offset
  }

  #partOf(segment: Segment): Part {
    const part = this.#parts.find((one) => one === segment)
    if (part === undefined) throw new RangeError('the segment is not of this body')
    return part
  }

  /** Joins neighbours that no connection fetches, so that there are never many more parts than connections. */
  #joinParts(): void {
    const parts: Part[] = []
    for (const part of this.#parts) {
      const before = parts.at(-1)
      const areFree = before !== undefined && !before.isTaken && !part.isTaken
      if (areFree && before.at === before.end) parts[parts.length - 1] = following(before, part)
      else if (areFree && part.at === part.start) before.end = part.end
      else parts.push(part)
    }
    this.#parts = parts
  }
}

interface Part {
  readonly start: number
  at: number
  end: number
  crc32: number
  /** Whether a connection fetches it. */
  isTaken: boolean
}

function missing(start: number, end: number): Part {
  return { start, at: start, end, crc32: 0, isTaken: false }
}

function isWorthHalving({ at, end }: Segment, { leastBytes }: SegmentSizes): boolean {
  return end - at >= 2 * leastBytes
}

/** A part of which all bytes have arrived, and the one after it. */
function following(whole: Part, next: Part): Part {
  const { crc32 } = joined(stretchOf(whole), stretchOf(next))
  return { start: whole.start, at: next.at, end: next.end, crc32, isTaken: false }
}

function stretchOf({ start, at, crc32 }: Part): Stretch {
  return { start, end: at, crc32 }
}

function joined(first: Stretch, second: Stretch): Stretch {
  const crc32 = combineCrc32(first.crc32, second.crc32, second.end - second.start)
  return { start: first.start, end: second.end, crc32 }
}
