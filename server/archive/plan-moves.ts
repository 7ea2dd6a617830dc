import type { Space } from './archive-file.ts'
import { MAX_PADDING_BYTES } from './format.ts'

/** Where an entry lies; `position` says which it is. */
export interface PlacedEntry extends Space {
  readonly position: number
}

/** An entry that is to lie elsewhere. */
export interface Move extends PlacedEntry {
  /** Its new offset. */
  readonly to: number
}

/**
 * Says which entries have to move so that no gap is left that padding can't fill, with few bytes moved. From the front to
 * the back, each gap takes in what lies at the end of the file. What is left of it, if that is not much, is spread over
 * headers as padding: over those of entries that come there anyway, of a small entry that is put in its middle, or of
 * its neighbours, of which one then moves a little. Over a larger gap moves what follows.
 * @returns the moves by their new offset. Each goes to room that is free when those before it are done, but for what
 *   it leaves itself
 */
export function planMoves(entries: readonly PlacedEntry[]): Move[] {
  const line = new Line(entries)
  for (let next = line.next(); next !== null; next = line.next()) {
    const { offset, lengthBytes } = next.entry
    const gapBytes = offset - line.endOffset
    const excessBytes = gapBytes - MOST_PADDING
    const tail = line.tail()
    if (excessBytes <= 0) {
      line.place(next, offset)
    } else if (tail !== null && tail !== next && tail.entry.lengthBytes <= gapBytes) {
      line.place(tail, line.endOffset)
    } else if (gapBytes > SPREAD_BYTES) {
      line.place(next, line.endOffset)
    } else if (!line.pushBack(excessBytes, lengthBytes, offset)) {
      const small = line.takeSmall()
      const room = Math.min(MOST_PADDING, gapBytes - (small?.entry.lengthBytes ?? 0))
      if (small !== null) line.place(small, line.endOffset + room)
      else line.place(next, tail === next ? line.endOffset : offset - excessBytes)
    }
  }
  return line.moves()
}

/** The most that a header takes in. */
const MOST_PADDING = MAX_PADDING_BYTES - 1

/** A gap up to here is spread over the headers around it: it adds less to the archive than what else would move. */
const SPREAD_BYTES = 1024 * 1024

/** An entry that moves towards the end, over itself, is no larger: it goes in one step. */
const PUSHED_BYTES = 16 * 1024 * 1024

/** So many headers take in all of a gap that is spread. */
const MOST_PUSHED = Math.ceil(SPREAD_BYTES / MOST_PADDING)

/** The entries in the order in which they lie: those at the front have their places, the others wait for one. */
class Line {
  /** Where the last one that has its place ends. */
  endOffset = 0
  readonly #waiting: Waiting[]
  readonly #placed: { readonly entry: PlacedEntry; to: number }[] = []
  /** Those whose room padding could fill, the largest at the end. */
  readonly #small: Waiting[]
  #first = 0
  #last: number

  constructor(entries: readonly PlacedEntry[]) {
    this.#waiting = entries
      .toSorted((a, b) => a.offset - b.offset)
      .map((entry, index) => ({ entry, index, isPlaced: false, before: index - 1, behind: index + 1 }))
    this.#last = this.#waiting.length - 1
    this.#small = this.#waiting
      .filter((waiting) => this.#roomOf(waiting) <= MOST_PADDING)
      .sort((a, b) => a.entry.lengthBytes - b.entry.lengthBytes)
  }

  /** The first that waits. */
  next(): Waiting | null {
    while (this.#waiting[this.#first]?.isPlaced) this.#first += 1
    return this.#waiting[this.#first] ?? null
  }

  /** The last that waits. */
  tail(): Waiting | null {
    while (this.#waiting[this.#last]?.isPlaced) this.#last -= 1
    return this.#waiting[this.#last] ?? null
  }

  /** A small one that waits behind the next, and whose room padding can fill. */
  takeSmall(): Waiting | null {
    for (let small = this.#small.pop(); small !== undefined; small = this.#small.pop()) {
      // Rooms only grow, and the next only goes on: what does not fit now never will.
      if (!small.isPlaced && small.index > this.#first && this.#roomOf(small) <= MOST_PADDING) return small
    }
    return null
  }

  /** Gives the first, the last or a small one its place, behind all that have theirs. */
  place(waiting: Waiting, to: number): void {
    const { entry } = waiting
    const [before, behind] = [this.#waiting[waiting.before], this.#waiting[waiting.behind]]
    waiting.isPlaced = true
    if (before !== undefined) before.behind = waiting.behind
    if (behind !== undefined) behind.before = waiting.before
    this.#placed.push({ entry, to })
    this.endOffset = to + entry.lengthBytes
  }

  /**
   * Moves the last ones that have their places towards the end, so that so many bytes of the gap behind them become
   * padding before them. False, and nothing is changed, when they can't take it in, when more than `mostBytes` that would
   * else stay had to move for it, or when one would come to lie on another that moves after it.
   */
  pushBack(bytes: number, mostBytes: number, nextOffset: number): boolean {
    const shifts: number[] = []
    let left = bytes
    let pushedBytes = 0
    let freeUpTo = nextOffset
    while (left > 0) {
      const last = this.#placed.at(-1 - shifts.length)
      if (last === undefined || shifts.length === MOST_PUSHED) return false
      const { offset, lengthBytes } = last.entry
      const to = last.to + left
      if (last.to === offset) pushedBytes += lengthBytes
      if (pushedBytes > mostBytes || to + lengthBytes > freeUpTo) return false
      if (to > offset && lengthBytes > PUSHED_BYTES) return false
      freeUpTo = Math.min(freeUpTo, offset)
      const before = this.#placed.at(-2 - shifts.length)
      const gapBytes = last.to - (before === undefined ? 0 : before.to + before.entry.lengthBytes)
      shifts.push(left)
      left -= MOST_PADDING - gapBytes
    }
    for (const [index, shift] of shifts.entries()) {
      const last = this.#placed.at(-1 - index)
      if (last !== undefined) last.to += shift
    }
    this.endOffset += bytes
    return true
  }

  moves(): Move[] {
    return this.#placed.flatMap(({ entry, to }) => (entry.offset === to ? [] : [{ ...entry, to }]))
  }

  /** The gap that it would leave; without bounds for the first and the last. */
  #roomOf({ before, behind }: Waiting): number {
    const [one, other] = [this.#waiting[before]?.entry, this.#waiting[behind]?.entry]
    return one === undefined || other === undefined ? Infinity : other.offset - one.offset - one.lengthBytes
  }
}

interface Waiting {
  readonly entry: PlacedEntry
  readonly index: number
  isPlaced: boolean
  /** Index of the one before it that waits, too. */
  before: number
  behind: number
}
