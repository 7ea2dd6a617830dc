/** A logarithmic axis: maps values to positions, and has the values of its ticks. */
export interface LogScale {
  at(value: number): number
  readonly ticks: readonly number[]
}

/**
 * @param values positive values; the axis extends a little beyond the least and the greatest
 * @param begin the position of the least value
 * @param end the position of the greatest value
 */
export function logScale(values: readonly number[], begin: number, end: number): LogScale {
  const low = Math.log10(Math.min(...values)) - MARGIN_DECADES
  const high = Math.log10(Math.max(...values)) + MARGIN_DECADES
  const at = (value: number) => begin + ((Math.log10(value) - low) / (high - low)) * (end - begin)
  const steps = STEPS.find(({ maxDecades }) => high - low <= maxDecades)?.steps ?? [1]
  const ticks: number[] = []
  for (let power = Math.floor(low); power <= high; power++) {
    for (const step of steps) {
      const value = Number(`${step}e${power}`)
      if (Math.log10(value) >= low && Math.log10(value) <= high) ticks.push(value)
    }
  }
  return { at, ticks }
}

const MARGIN_DECADES = 0.1
/** The longer the axis, the fewer ticks fit. */
const STEPS = [
  { maxDecades: 2.2, steps: [1, 2, 5] },
  { maxDecades: 3.5, steps: [1, 3] },
]
