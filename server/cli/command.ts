import type { ProgramFiles } from '../app.ts'
import type { Config, Environment } from '../config.ts'
import type { WorkerPool } from '../engine/pool.ts'
import type { Log } from '../logging/log.ts'

/** What a command gets from the process that runs it. */
export interface CommandContext {
  readonly env: Environment
  readonly files: ProgramFiles
  openRunner(config: Config, log: Log): WorkerPool
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly stopped: AbortSignal
  print(line: string): void
}

/**
 * Runs a command to its end.
 * @throws UsageError for wrong usage; CommandError, or any other error, when the command fails
 */
export type Command = (args: readonly string[], context: CommandContext) => Promise<void> | void

/** A failure whose message is one line that also says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
