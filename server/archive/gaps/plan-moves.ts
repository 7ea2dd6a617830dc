import type { Space } from '../file.ts'
import { MAX_PADDING_BYTES } from '../format.ts'

/** The location of the entry with this position. */
export interface LocatedEntry extends Space {
  readonly position: number
}

/** An entry that is to be moved. */
export interface EntryMove extends LocatedEntry {
  /** Its new offset. */
  readonly to: number
}

/**
 * Plans which entries to move so that padding can fill all remaining gaps, with few bytes moved. Goes through the gaps from
 * front to back, and fills each with entries from the end of the file. If the rest of the gap is small, it is split into
 * padding in several local headers: of the entries that were moved into the gap, of a small entry that is moved into its
 * middle, or of the neighbouring entries, one of which moves a little. If the rest is large, the following entry moves
 * to the front of the gap.
 * @param entries those that may move
 * @param from where the first of them may begin
 * @returns the moves, by new offset. Once the previous moves are done, each target is free, except that an entry may overlap
 *   its own target
 */
export function planMoves(entries: readonly LocatedEntry[], from = 0): EntryMove[] {
  const layout = new Layout(entries, from)
  for (let next = layout.next(); next !== null; next = layout.next()) {
    const { offset, lengthBytes } = next.entry
    const gapBytes = offset - layout.endOffset
    const excessBytes = gapBytes - MAX_PADDING
    const tail = layout.tail()
    if (excessBytes <= 0) {
      layout.place(next, offset)
    } else if (tail !== null && tail !== next && tail.entry.lengthBytes <= gapBytes) {
      layout.place(tail, layout.endOffset)
    } else if (gapBytes > MAX_SPREAD_BYTES) {
      layout.place(next, layout.endOffset)
    } else if (!layout.pushBack(excessBytes, lengthBytes, offset)) {
      const small = layout.takeSmall()
      const room = Math.min(MAX_PADDING, gapBytes - (small?.entry.lengthBytes ?? 0))
      if (small !== null) layout.place(small, layout.endOffset + room)
      else layout.place(next, tail === next ? layout.endOffset : offset - excessBytes)
    }
  }
  return layout.moves()
}

/** The most padding per local header. */
const MAX_PADDING = MAX_PADDING_BYTES - 1

/** A gap up to this size becomes padding of the headers around it: that adds fewer bytes than would have to be moved. */
const MAX_SPREAD_BYTES = 1024 * 1024

/** The largest entry that may move towards the end over a part of itself, which is done in one step. */
const MAX_PUSHED_BYTES = 16 * 1024 * 1024

/** The number of headers that can take all padding of a gap of `MAX_SPREAD_BYTES`. */
const MAX_PUSHED = Math.ceil(MAX_SPREAD_BYTES / MAX_PADDING)

/** The entries by offset. Those at the front are placed, the others wait to be placed. */
class Layout {
  /** End of the last placed entry. */
  endOffset: number
  readonly #from: number
  readonly #waiting: Waiting[]
  readonly #placed: { readonly entry: LocatedEntry; to: number }[] = []
  /** Waiting entries whose space padding could fill, the largest last. */
  readonly #small: Waiting[]
  #first = 0
  #last: number

  constructor(entries: readonly LocatedEntry[], from: number) {
    this.endOffset = from
    this.#from = from
    this.#waiting = entries
      .toSorted((a, b) => a.offset - b.offset)
      .map((entry, index) => ({ entry, index, isPlaced: false, before: index - 1, after: index + 1 }))
    this.#last = this.#waiting.length - 1
    this.#small = this.#waiting
      .filter((waiting) => this.#gapWithout(waiting) <= MAX_PADDING)
      .sort((a, b) => a.entry.lengthBytes - b.entry.lengthBytes)
  }

  /** The first waiting entry. */
  next(): Waiting | null {
    while (this.#waiting[this.#first]?.isPlaced) this.#first += 1
    return this.#waiting[this.#first] ?? null
  }

  /** The last waiting entry. */
  tail(): Waiting | null {
    while (this.#waiting[this.#last]?.isPlaced) this.#last -= 1
    return this.#waiting[this.#last] ?? null
  }

  /** A small entry that waits after the first one, and whose space padding can fill. */
  takeSmall(): Waiting | null {
    for (let small = this.#small.pop(); small !== undefined; small = this.#small.pop()) {
      // Gaps only grow and `#first` only increases: an entry that is unsuitable now stays unsuitable.
      if (!small.isPlaced && small.index > this.#first && this.#gapWithout(small) <= MAX_PADDING) return small
    }
    return null
  }

  /** Places a waiting entry after all placed ones. */
  place(waiting: Waiting, to: number): void {
    const { entry } = waiting
    const [before, after] = [this.#waiting[waiting.before], this.#waiting[waiting.after]]
    waiting.isPlaced = true
    if (before !== undefined) before.after = waiting.after
    if (after !== undefined) after.before = waiting.before
    this.#placed.push({ entry, to })
    this.endOffset = to + entry.lengthBytes
  }

  /**
   * Moves the last placed entries towards the end, so that `bytes` of the gap after them become padding before them.
   * Changes nothing and returns false when their headers can't take the padding, when more than `maxBytes` of entries that
   * otherwise stay would have to move, or when an entry would overwrite another one that moves later.
   */
  pushBack(bytes: number, maxBytes: number, nextOffset: number): boolean {
    const shifts: number[] = []
    let left = bytes
    let pushedBytes = 0
    let freeUpTo = nextOffset
    while (left > 0) {
      const last = this.#placed.at(-1 - shifts.length)
      if (last === undefined || shifts.length === MAX_PUSHED) return false
      const { offset, lengthBytes } = last.entry
      const to = last.to + left
      if (last.to === offset) pushedBytes += lengthBytes
      if (pushedBytes > maxBytes || to + lengthBytes > freeUpTo) return false
      if (to > offset && lengthBytes > MAX_PUSHED_BYTES) return false
      freeUpTo = Math.min(freeUpTo, offset)
      const before = this.#placed.at(-2 - shifts.length)
      const gapBytes = last.to - (before === undefined ? this.#from : before.to + before.entry.lengthBytes)
      shifts.push(left)
      left -= MAX_PADDING - gapBytes
    }
    for (const [index, shift] of shifts.entries()) {
      const last = this.#placed.at(-1 - index)
      if (last !== undefined) last.to += shift
    }
    this.endOffset += bytes
    return true
  }

  moves(): EntryMove[] {
    return this.#placed.flatMap(({ entry, to }) => (entry.offset === to ? [] : [{ ...entry, to }]))
  }

  /** The gap that the entry would leave; infinite for the first and the last. */
  #gapWithout({ before, after }: Waiting): number {
    const [previous, next] = [this.#waiting[before]?.entry, this.#waiting[after]?.entry]
    if (previous === undefined || next === undefined) return Infinity
    return next.offset - previous.offset - previous.lengthBytes
  }
}

interface Waiting {
  readonly entry: LocatedEntry
  readonly index: number
  isPlaced: boolean
  /** Indices of the previous and the next waiting entry. */
  before: number
  after: number
}
