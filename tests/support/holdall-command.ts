import { join } from 'node:path'

/** The check sets the executable that it has built. It starts in half the time. */
const { HOLDALL_TEST_EXECUTABLE } = process.env
const PROGRAM =
  HOLDALL_TEST_EXECUTABLE === undefined
    ? [process.execPath, join(import.meta.dir, '../../server/main.ts')]
    : [HOLDALL_TEST_EXECUTABLE]
/** A command that should have been refused but runs ends, at the latest when the time of its test is over. */
const TIMEOUT_MS = 180_000

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** A command that starts it, such as `nice`. The program and its arguments are appended. */
  readonly under?: readonly string[]
  readonly stdin?: string
}

/** Starts a command of Holdall from the sources, so that no build is needed, or of the executable of a check. */
export function startCommand(
  args: readonly string[],
  { cwd = process.cwd(), env = {}, under = [], stdin }: CommandOptions = {},
) {
  return Bun.spawn([...under, ...PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: [stdin === undefined ? 'ignore' : new Blob([stdin]), 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  })
}

export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** Waits for a command to end. */
export async function resultOf(command: {
  readonly stdout: ReadableStream<Uint8Array>
  readonly stderr: ReadableStream<Uint8Array>
  readonly exited: Promise<number>
}): Promise<CommandResult> {
  const { stdout, stderr, exited } = command
  const texts = [stdout, stderr].map((stream) => new Response(stream).text())
  const [output = '', errors = ''] = await Promise.all(texts)
  return { stdout: output, stderr: errors, exitCode: await exited }
}

export function runCommand(args: readonly string[], options?: CommandOptions): Promise<CommandResult> {
  return resultOf(startCommand(args, options))
}
