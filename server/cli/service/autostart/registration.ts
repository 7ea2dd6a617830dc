import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { childEnvironment } from '../../../child-environment.ts'
import { CommandError } from '../../command.ts'
import { shellCommand } from '../../shell-command.ts'
import type { Autostart, CommandLine } from './autostart.ts'

/** Is told of each step that was done. */
export type Report = (line: string) => void

/**
 * Writes the file and runs the commands, in this order. When one fails, the file is deleted.
 * @throws CommandError
 */
export async function register(
  { path, text, mode }: Autostart,
  commands: readonly CommandLine[],
  report: Report = () => {},
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode })
  report(`Wrote ${path}`)
  try {
    await runAll(commands, report)
  } catch (error) {
    rmSync(path)
    throw error
  }
}

/**
 * Runs the commands, deletes the file, and tells the system so.
 * @throws CommandError when a command fails. What comes after it is not done.
 */
export async function unregister(
  { path, afterRemoval }: Autostart,
  commands: readonly CommandLine[],
  report: Report = () => {},
): Promise<void> {
  await runAll(commands, report)
  rmSync(path)
  report(`Deleted ${path}`)
  await runAll(afterRemoval, report)
}

/** @throws CommandError with what the first command that failed has printed */
export async function runAll(commands: readonly CommandLine[], report: Report = () => {}): Promise<void> {
  for (const command of commands) {
    await run(command)
    report(`Ran ${shellCommand(command)}`)
  }
}

async function run(command: CommandLine): Promise<void> {
  const [name = ''] = command
  if (Bun.which(name) === null)
    throw new CommandError(`This machine has no ${name}, which is needed for this.`)
  const child = Bun.spawn([...command], { env: childEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = await Promise.all([child.stderr, child.stdout].map((stream) => new Response(stream).text()))
  if ((await child.exited) === 0) return
  const [reason = 'no reason given'] = texts.join('\n').trim().split('\n')
  throw new CommandError(`${shellCommand(command)} failed: ${reason}`)
}
