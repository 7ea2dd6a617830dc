import type { ByteRange } from '../bytes.ts'

/** Which bytes of a file are there: ranges in order that neither overlap nor touch. */
export class ByteRanges {
  #ranges: ByteRange[]

  constructor(ranges: readonly ByteRange[] = []) {
    this.#ranges = []
    for (const { start, end } of ranges) this.add(start, end)
  }

  /** In order. */
  get all(): readonly ByteRange[] {
    return this.#ranges
  }

  /** How many bytes are there. */
  get bytes(): number {
    return this.#ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  }

  /** How many bytes are there from the first one on, without a hole. */
  get prefixBytes(): number {
    const [first] = this.#ranges
    return first?.start === 0 ? first.end : 0
  }

  add(start: number, end: number): void {
    if (end <= start) return
    const first = this.#firstEndingFrom(start)
    let last = first
    let merged = { start, end }
    for (
      let range = this.#ranges[last];
      range !== undefined && range.start <= end;
      range = this.#ranges[++last]
    ) {
      merged = { start: Math.min(merged.start, range.start), end: Math.max(merged.end, range.end) }
    }
    this.#ranges.splice(first, last - first, merged)
  }

  /** What is missing between `start` and `end`, in order. */
  holes(start: number, end: number): ByteRange[] {
    const holes: ByteRange[] = []
    let at = start
    for (let index = this.#firstEndingFrom(start); at < end; index++) {
      const range = this.#ranges[index]
      const next = Math.min(range?.start ?? end, end)
      if (next > at) holes.push({ start: at, end: next })
      if (range === undefined) break
      at = Math.max(at, range.end)
    }
    return holes
  }

  /** The index of the first range that ends at `offset` or after it. */
  #firstEndingFrom(offset: number): number {
    let [low, high] = [0, this.#ranges.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ranges[middle]?.end ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
