/** The measured values of a run of a contender, or of a part of it. */
export interface Sample {
  readonly wallMs: number
  readonly peakBytes: number | null
  /** Null if it makes no archive. */
  readonly archiveBytes: number | null
}

/** A program that fetches a workload. It is measured alternately with others. */
export interface Contender {
  readonly name: string
  /** Why it cannot run, for example because it is not installed. */
  readonly absence: string | null
  /** Whether it is another project. Its failure is reported, and the benchmark continues. Any other failure ends it. */
  readonly isPeer: boolean
  /** Runs once. Returns samples by name: one run can measure several things. */
  run(): Promise<Readonly<Record<string, Sample>>>
}

/** Thrown when the program of a contender could not be installed: then it is absent, and has not failed. */
export class NotInstalled extends Error {
  override readonly name = 'NotInstalled'
}

/** Names of samples, shared by contenders and targets. */
export const CEILING = 'ceiling'
/** The same run including the start and end of its process, for comparison with commands. */
export const CEILING_COMMAND = 'ceiling, as a command'
export const ZIP_COMMAND = 'holdall zip'
export const SERVICE_FIRST = 'service, first job'
export const SERVICE_FOURTH = 'service, fourth job'
export const CURL_ZIP_0 = 'curl -Z, zip -0'

/** @returns why programs cannot be run, or null if all are installed */
export function absenceOf(...programs: readonly string[]): string | null {
  const missing = programs.filter((program) => Bun.which(program) === null)
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`
}
