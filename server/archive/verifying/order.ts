import { releaseMemory } from '../../bytes.ts'

/**
 * The numbers of the offsets, from the lowest offset to the highest; of equal ones, the lower number first. Sorts by digits, without
 * comparing: millions of offsets take no second, and 8 bytes each.
 * @returns null if they are in that order already
 */
export function orderOf(offsets: Float64Array): Uint32Array | null {
  if (isSorted(offsets)) return null
  let order = Uint32Array.from(offsets, (_, number) => number)
  let sorted = new Uint32Array(offsets.length)
  for (let unit = 1; unit < MAX_OFFSET; unit *= DIGITS) {
    const digitOf = (number: number) =>
      Math.floor(Math.min(offsets[number] ?? 0, MAX_OFFSET - 1) / unit) % DIGITS
    /** Where the next number with each digit belongs. */
    const places = new Uint32Array(DIGITS + 1)
    for (const number of order) count(places, digitOf(number) + 1)
    for (let digit = 1; digit <= DIGITS; digit++)
      places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0)
    for (const number of order) sorted[count(places, digitOf(number))] = number
    ;[order, sorted] = [sorted, order]
  }
  releaseMemory(new Uint8Array(sorted.buffer))
  return order
}

/** @returns the count before this */
function count(counts: Uint32Array, index: number): number {
  const before = counts[index] ?? 0
  counts[index] = before + 1
  return before
}

function isSorted(offsets: Float64Array): boolean {
  return offsets.every((offset, number) => number === 0 || offset >= (offsets[number - 1] ?? 0))
}

const DIGITS = 2 ** 16
/** Beyond the end of any file: the order of what is there does not matter. */
const MAX_OFFSET = 2 ** 48
