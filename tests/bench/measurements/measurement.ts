import type { Bench } from '../bench.ts'
import { CEILING, type Sample } from '../contenders/contender.ts'
import type { Figure, Target, Unit } from '../figure.ts'
import { ratios, type Summary, summarize } from '../statistics.ts'
import type { Turns } from '../take-turns.ts'

/** A measurement, which can run without the others. */
export interface Measurement {
  /** The name for `--only`. */
  readonly name: string
  readonly title: string
  run(bench: Bench): Promise<Findings>
}

export interface Findings {
  /** The time of each contender, if several were compared. */
  readonly timings: readonly Timing[]
  readonly figures: readonly Figure[]
  readonly panel: Panel | null
}

export interface Timing {
  readonly name: string
  readonly seconds: Summary | null
  readonly ratioToCeiling: Summary | null
  readonly peakMB: Summary | null
  readonly archiveMB: Summary | null
  readonly absence: string | null
}

/** A panel of the plot, which shows how the time grows. */
export interface Panel {
  readonly title: string
  readonly xLabel: string
  readonly xUnit: 'count' | 'bytes'
  readonly series: readonly Series[]
}

export interface Series {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly seconds: Summary }[]
}

export const MB = 1e6

/** The time of each contender, fastest first. */
export function timingsOf(turns: Turns): Timing[] {
  const timings = [...turns.samples].map(([name, samples]) => ({
    name,
    seconds: summarize(samples.map(({ wallMs }) => wallMs / 1000)),
    ratioToCeiling: name === CEILING ? null : summarize(ratioOf(turns, name, CEILING)),
    peakMB: summarize(known(samples, 'peakBytes').map((bytes) => bytes / MB)),
    archiveMB: summarize(known(samples, 'archiveBytes').map((bytes) => bytes / MB)),
    absence: null,
  }))
  const absent = [...turns.absences].map(([name, absence]) => ({ ...NOTHING, name, absence }))
  return [...timings.toSorted((a, b) => (a.seconds?.median ?? 0) - (b.seconds?.median ?? 0)), ...absent]
}

const NOTHING = { seconds: null, ratioToCeiling: null, peakMB: null, archiveMB: null }

/** The ratios of the times of two samples of the same rounds; empty if one of them was not taken. */
export function ratioOf(turns: Turns, name: string, reference: string): number[] {
  const values = known(turns.samples.get(name) ?? [], 'wallMs')
  const references = known(turns.samples.get(reference) ?? [], 'wallMs')
  return values.length === 0 || references.length === 0 ? [] : ratios(values, references)
}

function known(samples: readonly Sample[], field: keyof Sample): number[] {
  return samples.map((sample) => sample[field]).filter((value) => value !== null)
}

export function onlyFigures(figures: readonly Figure[]): Findings {
  return { timings: [], figures, panel: null }
}

/** A figure from one value per round. NaN means that this system does not provide the value. */
export function figure(
  title: string,
  unit: Unit,
  values: readonly number[],
  target: Target | null = null,
  absence: string | null = null,
): Figure {
  return { title, unit, summary: summarize(values.filter(Number.isFinite)), target, absence }
}
