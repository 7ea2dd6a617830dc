import { releaseMemory } from '../../bytes.ts'

/**
 * Finds which of many names occur more than once, in two passes over all of them: `note` in the first, `isRepeated` in the second. Keeps
 * a digest of each name and not the name: those of a hostile directory have hundreds of megabytes.
 */
export class RepeatedNames implements Disposable {
  readonly #digests: Float64Array<ArrayBuffer>
  readonly #seed = Math.floor(Math.random() * 2 ** 32)
  #count = 0
  /** Those that occur more than once, sorted; null before the second pass. */
  #repeated: Float64Array | null = null
  #seen = new Uint8Array(0)

  constructor(count: number) {
    this.#digests = new Float64Array(count)
  }

  note(name: string): void {
    this.#digests[this.#count++] = this.#digestOf(name)
  }

  /** Whether any is repeated: else the second pass finds none. */
  get any(): boolean {
    return this.#found().length > 0
  }

  /** Whether the name was asked for before. */
  isRepeated(name: string): boolean {
    const repeated = this.#found()
    const place = placeIn(repeated, this.#digestOf(name))
    if (place === null) return false
    const isSecond = this.#seen[place] === 1
    this.#seen[place] = 1
    return isSecond
  }

  [Symbol.dispose](): void {
    releaseMemory(new Uint8Array(this.#digests.buffer))
  }

  #found(): Float64Array {
    if (this.#repeated !== null) return this.#repeated
    const digests = this.#digests.sort()
    let found = 0
    for (let index = 1; index < digests.length; index++) {
      const digest = digests[index] ?? 0
      const isNew = found === 0 || digests[found - 1] !== digest
      // Each is moved to a place that was read before.
      if (digest === digests[index - 1] && isNew) digests[found++] = digest
    }
    this.#seen = new Uint8Array(found)
    this.#repeated = digests.subarray(0, found)
    return this.#repeated
  }

  /**
   * 53 bits: of two thousand archives with three million names each, one is expected to have two names with the same digest. The seed
   * keeps others from choosing such names.
   */
  #digestOf(name: string): number {
    let high = this.#seed
    let low = ~this.#seed
    for (let index = 0; index < name.length; index++) {
      const code = name.charCodeAt(index)
      high = Math.imul(high ^ code, 0x9e3779b1)
      low = Math.imul(low ^ code, 0x5f356495)
    }
    high = mixed(high ^ mixed(low))
    low = mixed(low ^ high)
    return (high >>> 11) * 2 ** 32 + (low >>> 0)
  }
}

/** The finalizer of MurmurHash3. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/** Null if it is not among the sorted values. */
function placeIn(sorted: Float64Array, value: number): number | null {
  let first = 0
  let last = sorted.length - 1
  while (first <= last) {
    const middle = (first + last) >> 1
    const found = sorted[middle] ?? 0
    if (found === value) return middle
    if (found < value) first = middle + 1
    else last = middle - 1
  }
  return null
}
