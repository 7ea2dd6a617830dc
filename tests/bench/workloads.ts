/** A workload: a number of bodies of one size, each sent after a latency. */
export interface Workload {
  readonly name: string
  readonly title: string
  readonly count: number
  readonly sizeBytes: number
  /** Incompressible noise, or rows of JSON and HTML alternately. */
  readonly content: 'noise' | 'text'
  readonly latencyMs: number
}

const KIB = 1024
const MIB = 1024 * KIB

const PLAIN = { content: 'noise', latencyMs: 0 } as const

export const W1: Workload = { name: 'W1', title: '5,000 x 20 KB', count: 5_000, sizeBytes: 20_000, ...PLAIN }
export const W2: Workload = { name: 'W2', title: '200 x 5 MiB', count: 200, sizeBytes: 5 * MIB, ...PLAIN }
export const W3: Workload = { name: 'W3', title: '4 x 1 GiB', count: 4, sizeBytes: 1024 * MIB, ...PLAIN }
export const W4: Workload = {
  name: 'W4',
  title: '2,000 x 100 KB of text',
  count: 2_000,
  sizeBytes: 100_000,
  content: 'text',
  latencyMs: 0,
}
export const W5: Workload = {
  name: 'W5',
  title: '1,000 x 20 KB after 50 ms',
  count: 1_000,
  sizeBytes: 20_000,
  content: 'noise',
  latencyMs: 50,
}
/** More entries than a ZIP without ZIP64 can hold. */
export const W7: Workload = { name: 'W7', title: '70,000 x 200 B', count: 70_000, sizeBytes: 200, ...PLAIN }

/** One URL, to measure the fixed cost of a job. */
export const TINY: Workload = { name: 'tiny', title: '1 x 1 KB', count: 1, sizeBytes: 1_000, ...PLAIN }
/** The URLs of 200 small jobs. */
export const BURST: Workload = {
  name: 'burst',
  title: '2,000 x 1 KB',
  count: 2_000,
  sizeBytes: 1_000,
  ...PLAIN,
}
export const ONE_GB: Workload = {
  name: '1GB',
  title: '1 x 1 GB',
  count: 1,
  sizeBytes: 1_000_000_000,
  ...PLAIN,
}

/**
 * Scripts and contenders write bodies of at least this size while they arrive, and only a few of them simultaneously.
 */
export const LARGE_BODY_BYTES = MIB

/** A smaller workload of the same kind: fewer bodies, or smaller ones if there are only a few. */
export function scaled(workload: Workload, scale: number): Workload {
  if (scale === 1) return workload
  const { count, sizeBytes } = workload
  return count >= MANY
    ? { ...workload, count: Math.ceil(count * scale) }
    : { ...workload, sizeBytes: Math.ceil(sizeBytes * scale) }
}

const MANY = 100
