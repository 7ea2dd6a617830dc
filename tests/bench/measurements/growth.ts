import type { Bench } from '../bench.ts'
import { atOnce } from '../contenders/at-once.ts'
import { ceiling } from '../contenders/ceiling.ts'
import { CEILING, type Contender, CURL_ZIP_0, SERVICE_FOURTH, ZIP_COMMAND } from '../contenders/contender.ts'
import { curlAndZip } from '../contenders/download-and-zip.ts'
import { service } from '../contenders/service.ts'
import { zipCommand } from '../contenders/zip-command.ts'
import { type Served, serve } from '../origin/start.ts'
import { summarize } from '../statistics.ts'
import { type Turns, takeTurns } from '../take-turns.ts'
import { scaled, type Workload } from '../workloads.ts'
import type { Findings, Measurement, Panel } from './measurement.ts'

/** How the time grows with the number of URLs, the size of bodies, and the number of simultaneous jobs. */
export const growth: readonly Measurement[] = [
  {
    name: 'growth-urls',
    title: 'Growth with the number of URLs',
    run: (bench) =>
      grow(bench, {
        title: 'URLs of 20 KB each',
        xLabel: 'URLs',
        xUnit: 'count',
        xs: [10, 50, 200, 1_000, 5_000],
        workload: (count) => workloadOf(count, 20_000),
        contenders: oneJob,
      }),
  },
  {
    name: 'growth-bytes',
    title: 'Growth with the size of bodies',
    run: (bench) =>
      grow(bench, {
        title: '100 URLs',
        xLabel: 'size of each body',
        xUnit: 'bytes',
        xs: [1e3, 1e4, 1e5, 1e6, 1e7],
        workload: (sizeBytes) => workloadOf(100, sizeBytes),
        contenders: oneJob,
      }),
  },
  {
    name: 'growth-jobs',
    title: 'Growth with the jobs at once',
    run: (bench) =>
      grow(bench, {
        title: 'Jobs at once, of 1,000 x 20 KB each',
        xLabel: 'jobs at once',
        xUnit: 'count',
        xs: [1, 2, 4, 8, 16],
        workload: () => workloadOf(1_000, 20_000),
        contenders: atOnce,
      }),
  },
]

/** The names of the lines in the plot, by sample. */
const LINES: readonly (readonly [sample: string, name: string])[] = [
  [CEILING, 'bare script (ceiling)'],
  [SERVICE_FOURTH, 'holdall service'],
  [ZIP_COMMAND, 'holdall zip'],
  [CURL_ZIP_0, 'curl -Z, zip -0'],
]

interface Axis {
  readonly title: string
  readonly xLabel: string
  readonly xUnit: Panel['xUnit']
  readonly xs: readonly number[]
  workload(x: number): Workload
  contenders(bench: Bench, served: Served, x: number): readonly Contender[]
}

async function grow(bench: Bench, { xs, workload, contenders, ...axis }: Axis): Promise<Findings> {
  const columns: { x: number; turns: Turns }[] = []
  for (const x of xs) {
    await using served = await serve(scaled(workload(x), bench.scale))
    columns.push({ x, turns: await takeTurns(contenders(bench, served, x), bench) })
  }
  const series = LINES.map(([sample, name]) => ({
    name,
    points: columns.flatMap(({ x, turns }) => {
      const seconds = summarize((turns.samples.get(sample) ?? []).map(({ wallMs }) => wallMs / 1000))
      return seconds === null ? [] : [{ x, seconds }]
    }),
  }))
  return {
    timings: [],
    figures: [],
    panel: { ...axis, series: series.filter(({ points }) => points.length > 0) },
  }
}

function oneJob(bench: Bench, served: Served): Contender[] {
  return [
    ceiling(bench, served),
    service(bench, served, 'first and fourth'),
    zipCommand(bench, served),
    curlAndZip(bench, served),
  ]
}

function workloadOf(count: number, sizeBytes: number): Workload {
  const title = `${count} x ${sizeBytes} B`
  return { name: 'growth', title, count, sizeBytes, content: 'noise', latencyMs: 0 }
}
