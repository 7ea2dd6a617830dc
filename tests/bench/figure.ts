import type { Summary } from './statistics.ts'

/** A measured figure, with its target if it has one. */
export interface Figure {
  readonly title: string
  readonly unit: Unit
  /** Null if it could not be measured. */
  readonly summary: Summary | null
  readonly target: Target | null
  /** Why there is no summary. */
  readonly absence: string | null
}

/** `x` is a ratio, MB are 10^6 bytes. */
export type Unit = 'x' | 'ms' | 's' | 'MB' | 'MB/s' | 'jobs/s'

export type Target = { readonly atMost: number } | { readonly atLeast: number }

export type Verdict = 'met' | 'missed' | 'not measured' | 'no target'

/** Compares the median with the target. */
export function verdictOf({ summary, target }: Pick<Figure, 'summary' | 'target'>): Verdict {
  if (summary === null) return 'not measured'
  if (target === null) return 'no target'
  const isMet = 'atMost' in target ? summary.median <= target.atMost : summary.median >= target.atLeast
  return isMet ? 'met' : 'missed'
}
