import { existsSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { EXECUTABLE } from '../../support/executable.ts'
import { type Figure, type Verdict, verdictOf } from '../figure.ts'
import type { Findings, Measurement } from '../measurements/measurement.ts'

/** The results of a benchmark, as they are in `results.json`. Times are in ISO 8601 format. */
export interface Results {
  readonly program: string
  readonly measuredAt: string
  readonly machine: Machine
  readonly rounds: number
  /** Below 1, the figures do not measure real speed. */
  readonly scale: number
  readonly measurements: readonly MeasurementResult[]
}

export interface MeasurementResult extends Findings {
  readonly name: string
  readonly title: string
  readonly figures: readonly JudgedFigure[]
}

export type JudgedFigure = Figure & { readonly verdict: Verdict }

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryBytes: number
  /** On Linux with the congestion control of TCP, which downloads depend on. */
  readonly system: string
  readonly bun: string
}

export function openResults(rounds: number, scale: number): Results {
  return {
    program: Bun.spawnSync([EXECUTABLE, 'version']).stdout.toString().trim(),
    measuredAt: new Date().toISOString(),
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
      system: [process.platform, process.arch, release(), ...congestionControl()].join(' '),
      bun: Bun.version,
    },
    rounds,
    scale,
    measurements: [],
  }
}

export function withFindings(results: Results, { name, title }: Measurement, findings: Findings): Results {
  const figures = findings.figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) }))
  return { ...results, measurements: [...results.measurements, { name, title, ...findings, figures }] }
}

function congestionControl(): string[] {
  return existsSync(CONGESTION_CONTROL) ? [readFileSync(CONGESTION_CONTROL, 'utf8').trim()] : []
}

const CONGESTION_CONTROL = '/proc/sys/net/ipv4/tcp_congestion_control'
