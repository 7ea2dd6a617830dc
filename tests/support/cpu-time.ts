/**
 * The CPU time of `work`, as a multiple of the CPU time of `baseline`. The ratio is the same on a slow machine and on a
 * busy one. The baseline must take at least a millisecond.
 */
export function cpuTimeRatio(work: () => void, baseline: () => void): number {
  let workMs = Number.POSITIVE_INFINITY
  let baselineMs = Number.POSITIVE_INFINITY
  // Takes the shortest of several runs, alternately: the first runs are not compiled yet, and the garbage collector
  // interrupts later ones.
  for (let run = 0; run < RUNS; run++) {
    baselineMs = Math.min(baselineMs, cpuMs(baseline))
    workMs = Math.min(workMs, cpuMs(work))
  }
  return workMs / baselineMs
}

/**
 * The CPU time of one call with `size`, as a multiple of eight calls with an eighth of it: 1 if the time grows in
 * proportion to the size, 8 if it grows with its square. Measures again if it seems to grow faster: what else the machine
 * does can only slow one side down.
 */
export function growth(size: number, work: (size: number) => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && least >= MAX_GROWTH; round++) {
    least = Math.min(least, growthOnce(size, work))
  }
  return least
}

function growthOnce(size: number, work: (size: number) => void): number {
  const inParts = () => {
    for (let part = 0; part < 8; part++) work(size / 8)
  }
  let calls = 1
  while (cpuMs(() => repeat(calls, inParts)) < MIN_BASELINE_MS) calls *= 2
  return cpuTimeRatio(
    () => repeat(calls, () => work(size)),
    () => repeat(calls, inParts),
  )
}

/** Lies well between 1 and 8. */
export const MAX_GROWTH = 3

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function repeat(calls: number, work: () => void): void {
  for (let call = 0; call < calls; call++) work()
}

const ROUNDS = 3
const RUNS = 8
/** Shorter times are mostly noise: the compiler and the garbage collector run beside the work. */
const MIN_BASELINE_MS = 10
