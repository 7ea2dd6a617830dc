import { EXECUTABLE, startHoldall } from '../../support/executable.ts'
import { runCommand } from '../command.ts'
import { median } from '../statistics.ts'
import { figure, type Measurement, onlyFigures } from './measurement.ts'

/** The time from the start of the process, with an empty data directory, to the response to the first request. */
export const start: Measurement = {
  name: 'start',
  title: 'Start to first answer',
  async run(bench) {
    const medians: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      bench.signal.throwIfAborted()
      const times: number[] = []
      for (let repetition = 0; repetition < REPETITIONS; repetition++) times.push(await firstAnswerMs())
      medians.push(median(times))
    }
    return onlyFigures([figure('Start to first answer', 'ms', medians, { atMost: 60 })])
  },
}

/** The shortest command of the executable. */
export const version: Measurement = {
  name: 'version',
  title: 'holdall version',
  async run(bench) {
    const medians: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const times: number[] = []
      for (let repetition = 0; repetition < REPETITIONS; repetition++) {
        const { wallMs } = await runCommand([EXECUTABLE, 'version'], {
          cwd: bench.workDir,
          signal: bench.signal,
        })
        times.push(wallMs)
      }
      medians.push(median(times))
    }
    return onlyFigures([figure('holdall version', 'ms', medians, { atMost: 12 })])
  },
}

async function firstAnswerMs(): Promise<number> {
  const startedMs = performance.now()
  await using holdall = await startHoldall()
  const response = await fetch(`${holdall.address}/health`)
  await response.arrayBuffer()
  const wallMs = performance.now() - startedMs
  if (response.status !== 200) throw new Error(`GET /health answers ${response.status}`)
  return wallMs
}

/** A single start is too short to measure precisely. */
const REPETITIONS = 5
