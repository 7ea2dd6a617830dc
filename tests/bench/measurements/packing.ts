import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import type { Figure } from '../figure.ts'
import { type Served, serve } from '../origin/start.ts'
import { type Turns, takeTurns } from '../take-turns.ts'
import { scaled, type Workload } from '../workloads.ts'
import { figure, MB, type Measurement, ratioOf, timingsOf } from './measurement.ts'

/** A workload that several contenders pack alternately. */
export interface Packing {
  readonly workload: Workload
  contenders(bench: Bench, served: Served): readonly Contender[]
  readonly targets: readonly PackingTarget[]
}

/** A target for samples of one name: their time as a ratio to that of samples of another name, or their peak memory. */
export type PackingTarget =
  | { readonly of: string; readonly to: string; readonly atMost: number }
  | { readonly of: string; readonly to: null; readonly atMostMB: number }

export function packing({ workload, contenders, targets }: Packing): Measurement {
  return {
    name: workload.name,
    title: `${workload.name}: ${workload.title}`,
    async run(bench) {
      await using served = await serve(scaled(workload, bench.scale))
      const turns = await takeTurns(contenders(bench, served), bench)
      return {
        timings: timingsOf(turns),
        figures: targets.map((target) => figureOf(workload, turns, target)),
        panel: null,
      }
    },
  }
}

function figureOf({ name }: Workload, turns: Turns, target: PackingTarget): Figure {
  const what = `${name}, ${target.of}`
  if (target.to === null) {
    const samples = turns.samples.get(target.of) ?? []
    const megabytes = samples.map(({ peakBytes }) => (peakBytes ?? Number.NaN) / MB)
    return figure(`${what}: peak memory`, 'MB', megabytes, { atMost: target.atMostMB })
  }
  const { of, to, atMost } = target
  return figure(`${what} / ${to}`, 'x', ratioOf(turns, of, to), { atMost }, turns.absences.get(to))
}
