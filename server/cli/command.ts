import type { ProgramFiles } from '../app.ts'
import type { Config, Environment } from '../config.ts'
import type { ServiceRunner } from '../engine/job-runner.ts'
import type { Log } from '../log.ts'

/** What a command may touch of the world around it. */
export interface Surroundings {
  readonly env: Environment
  readonly files: ProgramFiles
  openRunner(config: Config, log: Log): ServiceRunner
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly stopped: AbortSignal
  print(line: string): void
}

/** Runs to its end; throws `UsageError` for wrong usage, a `CommandError` or whatever else when it fails. */
export type Command = (args: readonly string[], around: Surroundings) => Promise<void> | void

/** A failure that is told in one line with its remedy. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
