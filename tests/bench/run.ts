/**
 * `bun run bench [--only NAMES] [--rounds N] [--scale X] [--out DIR]`: compares the built executable with a minimal
 * script and other programs, on loopback. Prints tables, and writes `results.json` and `growth.svg` to `benchmarks/`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { type BenchArguments, readBenchArguments } from './arguments.ts'
import type { Bench } from './bench.ts'
import { MEASUREMENTS } from './measurements/all.ts'
import { plot } from './report/plot.ts'
import { openResults, type Results, withFindings } from './report/results.ts'
import { figureTable, panelTable, timingTable } from './report/table.ts'
import { openVerifier } from './verify.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort(new Error('Stopped.')))
}
try {
  await run(
    readBenchArguments(
      process.argv.slice(2),
      MEASUREMENTS.map(({ name }) => name),
      join(import.meta.dir, '../../benchmarks'),
    ),
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run({ rounds, scale, names, outDir }: BenchArguments): Promise<void> {
  using dir = tempDir()
  let paths = 0
  const bench: Bench = {
    rounds,
    scale,
    workDir: dir.path,
    newPath: (name) => dir.file(`${++paths}-${name}`),
    verifier: openVerifier(stop.signal),
    signal: stop.signal,
  }
  let results = openResults(rounds, scale)
  console.log(headline(results))
  mkdirSync(outDir, { recursive: true })
  for (const measurement of MEASUREMENTS.filter(({ name }) => names.includes(name))) {
    console.log(`\n## ${measurement.title}`)
    const { timings, figures, panel } = await measurement.run(bench)
    results = withFindings(results, measurement, { timings, figures, panel })
    if (timings.length > 0) console.log(`\n${timingTable(timings)}`)
    if (panel !== null) console.log(`\n${panelTable(panel)}`)
    if (figures.length > 0) console.log(`\n${figureTable(results.measurements.at(-1)?.figures ?? [])}`)
    // Written after each measurement, so that no results are lost when a later one fails.
    save(results, outDir)
  }
  const targets = results.measurements.flatMap(({ figures }) =>
    figures.filter(({ target }) => target !== null),
  )
  if (targets.length > 0) console.log(`\n## All targets\n\n${figureTable(targets)}`)
  console.log(`\nThe results are in ${outDir}`)
}

function headline({ program, machine, rounds, scale }: Results): string {
  const { processor, cores, system } = machine
  const line = `Holdall ${program} on ${cores} x ${processor}, ${system}. Rounds: ${rounds}`
  if (scale === 1) return line
  return `${line}\nScaled to ${scale}: this checks the benchmark itself. The verdicts say nothing about speed.`
}

function save(results: Results, outDir: string): void {
  writeFileSync(join(outDir, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
  const panels = results.measurements.flatMap(({ panel }) => panel ?? [])
  if (panels.length === 0) return
  const { program, machine, rounds } = results
  const caption =
    `Medians of ${rounds} rounds, bars from the least to the greatest. Commands include the start of their processes. ` +
    `Holdall ${program}, ${machine.cores} cores, loopback.`
  writeFileSync(join(outDir, 'growth.svg'), plot(panels, caption))
}
