import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import type { Figure, Target } from '../figure.ts'
import { type Served, serve } from '../origin/start.ts'
import { type Turns, takeTurns } from '../take-turns.ts'
import { scaled, type Workload } from '../workloads.ts'
import { type Field, figure, MB, type Measurement, ratioOf, timingsOf } from './measurement.ts'

/** A workload that several contenders pack alternately. */
export interface Packing {
  readonly workload: Workload
  contenders(bench: Bench, served: Served): readonly Contender[]
  readonly targets: readonly PackingTarget[]
}

/** The target for samples of a name: a ratio to the samples of another name, or a size in MB. */
export type PackingTarget =
  | { readonly of: string; readonly to: string; readonly field: Field; readonly target: Target }
  | { readonly of: string; readonly to: null; readonly field: Bytes; readonly target: Target }

type Bytes = Exclude<Field, 'wallMs'>

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

function figureOf({ name }: Workload, turns: Turns, { of, to, field, target }: PackingTarget): Figure {
  const what = `${name}, ${of}${FIELD_WORDS[field]}`
  if (to === null) {
    const samples = turns.samples.get(of) ?? []
    const megabytes = samples.map((sample) => (sample[field] ?? Number.NaN) / MB)
    return figure(what, 'MB', megabytes, target)
  }
  const absence = turns.absences.get(to) ?? null
  return figure(`${what} / ${to}`, 'x', ratioOf(turns, of, to, field), target, absence)
}

const FIELD_WORDS = { wallMs: '', peakBytes: ': peak memory', archiveBytes: ': size of the archive' }
