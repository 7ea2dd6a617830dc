/** The summary of several measured values. */
export interface Summary {
  readonly median: number
  /** The spread: the least and the greatest value. */
  readonly min: number
  readonly max: number
  readonly count: number
}

/** @returns null without values */
export function summarize(values: readonly number[]): Summary | null {
  if (values.length === 0) return null
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), count: values.length }
}

/** The middle value, or the mean of the two middle ones; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * The ratios of two values per round. Both were measured within the same minute, so a machine that becomes slower does
 * not affect the median and the spread of the ratios, while it would affect the ratio of the two medians.
 */
export function ratios(values: readonly number[], references: readonly number[]): number[] {
  if (values.length !== references.length) {
    throw new Error(`${values.length} values cannot be compared with ${references.length}.`)
  }
  return values.map((value, round) => value / (references[round] ?? Number.NaN))
}
