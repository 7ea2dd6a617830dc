import { writeFileSync } from 'node:fs'
import { EXECUTABLE, type Holdall, startHoldall } from '../../support/executable.ts'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import { median } from '../statistics.ts'
import { figure, type Measurement, onlyFigures } from './measurement.ts'

/** The time from the start of the process to the response to the first request: the first start, and the next one. */
export const start: Measurement = {
  name: 'start',
  title: 'Start to first answer',
  async run(bench) {
    const firstStart: number[] = []
    const nextStart: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      bench.signal.throwIfAborted()
      const firstMs: number[] = []
      const nextMs: number[] = []
      for (let repetition = 0; repetition < REPETITIONS; repetition++) {
        const startedMs = performance.now()
        await using holdall = await startHoldall()
        firstMs.push((await answeredMs(holdall)) - startedMs)
        await holdall.stop()
        const startedAgainMs = performance.now()
        await holdall.restart()
        nextMs.push((await answeredMs(holdall)) - startedAgainMs)
      }
      firstStart.push(median(firstMs))
      nextStart.push(median(nextMs))
    }
    return onlyFigures([
      figure('Start to first answer, new data directory', 'ms', firstStart, { atMost: 100 }),
      figure('Start to first answer, existing data directory', 'ms', nextStart, { atMost: 100 }),
    ])
  },
}

/** The shortest command of the executable, and beside it what any program of this runtime takes on this machine, now. */
export const version: Measurement = {
  name: 'version',
  title: 'holdall version',
  async run(bench) {
    const emptyProgram = await buildEmptyProgram(bench)
    const medians: number[] = []
    const emptyMedians: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const times: number[] = []
      const emptyTimes: number[] = []
      for (let repetition = 0; repetition < REPETITIONS; repetition++) {
        times.push(await commandMs(bench, [EXECUTABLE, 'version']))
        emptyTimes.push(await commandMs(bench, [emptyProgram]))
      }
      medians.push(median(times))
      emptyMedians.push(median(emptyTimes))
    }
    return onlyFigures([
      figure('holdall version', 'ms', medians),
      figure('An empty program of the same runtime', 'ms', emptyMedians),
    ])
  },
}

async function commandMs(bench: Bench, command: readonly string[]): Promise<number> {
  const { wallMs } = await runCommand(command, { cwd: bench.workDir, signal: bench.signal })
  return wallMs
}

/** An executable that does nothing: what every start takes on this machine. */
async function buildEmptyProgram(bench: Bench): Promise<string> {
  const source = bench.newPath('empty.ts')
  const program = bench.newPath('empty')
  writeFileSync(source, '')
  await Bun.build({ entrypoints: [source], target: 'bun', bytecode: true, compile: { outfile: program } })
  return program
}

/** When the service has answered. */
async function answeredMs({ address }: Holdall): Promise<number> {
  const response = await fetch(`${address}/health`)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`GET /health answers ${response.status}`)
  return performance.now()
}

/** A single start is too short to measure precisely. */
const REPETITIONS = 5
