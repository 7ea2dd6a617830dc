/**
 * How many times as much processor time `work` takes as `yardstick` does. A ratio stays the same on a slow machine
 * and on a busy one. The yardstick is to take a millisecond at least.
 */
export function timesAsLong(work: () => void, yardstick: () => void): number {
  let workMs = Number.POSITIVE_INFINITY
  let yardstickMs = Number.POSITIVE_INFINITY
  // In turns, and the best of each: the first runs are not compiled yet, and later ones meet a garbage collection.
  for (let run = 0; run < RUNS; run++) {
    yardstickMs = Math.min(yardstickMs, processorMs(yardstick))
    workMs = Math.min(workMs, processorMs(work))
  }
  return workMs / yardstickMs
}

/** How many times as long one piece of work takes as eight of an eighth of its size: 1 in proportion, 8 if quadratic. */
export function growth(size: number, work: (size: number) => void): number {
  return timesAsLong(
    () => work(size),
    () => {
      for (let part = 0; part < 8; part++) work(size / 8)
    },
  )
}

/** Far enough from both 1 and 8. */
export const MAX_GROWTH = 3

function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const RUNS = 8
