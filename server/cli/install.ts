import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { type Autostart, autostartOf, type CommandLine } from './autostart/autostart.ts'
import { type Command, type CommandContext, CommandError } from './command.ts'
import { findRunningService } from './running-service.ts'
import { shellCommand } from './shell-command.ts'

/** `holdall install [--dry-run]`: the system starts the service from now on, with the settings that are given here. */
export const install: Command = async (args, context) => {
  const { autostart, isDryRun, config } = read(args, context)
  const { path, text, mode, when } = autostart
  if (isDryRun) {
    context.print(`Would write ${path}:\n\n${text}`)
    for (const command of autostart.enable) context.print(`Would run: ${shellCommand(command)}`)
    return
  }
  if (!existsSync(path) && (await isRunning(config)))
    throw new CommandError('Holdall already runs on this data directory. Stop it, then install it.')
  // Some systems refuse to load a service that they know already.
  if (existsSync(path)) for (const command of autostart.disable) await run(command).catch(() => {})
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode })
  context.print(`Wrote ${path}`)
  try {
    for (const command of autostart.enable) await runAndPrint(command, context)
  } catch (error) {
    rmSync(path)
    throw error
  }
  context.print(`Holdall runs now, and starts ${when}. Open it with: ${shellCommand(context.program)}`)
}

/** `holdall uninstall [--dry-run]`: stops the service that `install` has started, and keeps its data. */
export const uninstall: Command = async (args, context) => {
  const { autostart, isDryRun } = read(args, context)
  const { path } = autostart
  if (isDryRun) {
    for (const command of autostart.disable) context.print(`Would run: ${shellCommand(command)}`)
    context.print(`Would delete ${path}`)
    for (const command of autostart.afterRemoval) context.print(`Would run: ${shellCommand(command)}`)
    return
  }
  if (!existsSync(path)) throw new CommandError(`Holdall is not installed: ${path} does not exist.`)
  for (const command of autostart.disable) await runAndPrint(command, context)
  rmSync(path)
  context.print(`Deleted ${path}`)
  for (const command of autostart.afterRemoval) await runAndPrint(command, context)
  context.print('Holdall no longer starts by itself. Its data was kept.')
}

function read(args: readonly string[], { env, program }: CommandContext) {
  const { own, config, given } = readArguments(args, env, { switches: ['dry-run'] })
  const { platform } = process
  const userId = process.getuid?.() ?? null
  const isSystemService = platform === 'linux' && userId === 0
  const autostart: Autostart = autostartOf({
    platform,
    userId,
    home: homedir(),
    env,
    program,
    // The default depends on variables that the session in which the service starts may not have.
    settings: isSystemService ? given : { ...given, HOLDALL_DATA: resolve(config.data) },
  })
  return { autostart, isDryRun: own['dry-run'] === 'true', config }
}

async function isRunning(config: Config): Promise<boolean> {
  return await findRunningService(config).then(
    () => true,
    () => false,
  )
}

async function runAndPrint(command: CommandLine, context: CommandContext): Promise<void> {
  await run(command)
  context.print(`Ran ${shellCommand(command)}`)
}

async function run(command: CommandLine): Promise<void> {
  const [name = ''] = command
  if (Bun.which(name) === null)
    throw new CommandError(`This machine has no ${name}, which is needed for this.`)
  const child = Bun.spawn([...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = await Promise.all([child.stderr, child.stdout].map((stream) => new Response(stream).text()))
  if ((await child.exited) === 0) return
  const [reason = 'no reason given'] = texts.join('\n').trim().split('\n')
  throw new CommandError(`${shellCommand(command)} failed: ${reason}`)
}
