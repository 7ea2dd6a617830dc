import type { Verifier } from './verify.ts'

/** What every measurement needs. */
export interface Bench {
  readonly rounds: number
  /** The scale of the workloads: 1 for full size, less for a test of the benchmark itself. */
  readonly scale: number
  /** The working directory of contenders, deleted at the end. */
  readonly workDir: string
  /** Returns a unique path in it. */
  newPath(name: string): string
  readonly verifier: Verifier
  /** Aborts when the benchmark must stop. */
  readonly signal: AbortSignal
}
