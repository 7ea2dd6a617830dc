import type { Environment } from '../config/config.ts'
import type { ProgramFiles } from '../program-files.ts'

/** What the process passes to a command. */
export interface CommandContext {
  readonly env: Environment
  readonly files: ProgramFiles
  /** The words that start this program. */
  readonly program: readonly string[]
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly stopped: AbortSignal
  print(line: string): void
}

/**
 * Runs a command to its end.
 * @throws UsageError for wrong usage; CommandError, or any other error, when the command fails
 */
export type Command = (args: readonly string[], context: CommandContext) => Promise<void>

/** A command line that can't be parsed. The message is one line that states what is expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A failure whose message is one line that also says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
