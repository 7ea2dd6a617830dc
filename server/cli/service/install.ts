import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { openConfiguredStore } from '../../downloads/configured-store.ts'
import { readArguments } from '../arguments.ts'
import { type Command, type CommandContext, CommandError } from '../command.ts'
import { findRunningService } from '../data/running-service.ts'
import { withoutSecrets } from '../given-settings.ts'
import { shellCommand } from '../shell-command.ts'
import { autostartHere } from './autostart/autostart-here.ts'
import { register, runAll, unregister } from './autostart/registration.ts'

/** `holdall install [--dry-run]`: the system starts the service from now on, with the settings that are given here. */
export const install: Command = async (args, context) => {
  const { autostart, shownText, isDryRun, config } = read(args, context)
  // Refuses now what the next start would refuse.
  openConfiguredStore(config)
  const { path, when, remark } = autostart
  const commands = [...autostart.register, ...autostart.start]
  if (remark !== undefined) context.print(remark)
  if (isDryRun) {
    context.print(`Would write ${path}:\n\n${shownText}`)
    for (const command of commands) context.print(`Would run: ${shellCommand(command)}`)
    return
  }
  if (!existsSync(path) && (await isRunning(config)))
    throw new CommandError('Holdall already runs on this data directory. Stop it, then install it.')
  // Some systems refuse to load a service that they know already.
  if (existsSync(path))
    for (const command of [...autostart.stop, ...autostart.unregister])
      await runAll([command]).catch(() => {})
  await register(autostart, commands, context.print)
  context.print(`Holdall runs now, and starts ${when}. Open it with: ${shellCommand(context.program)}`)
}

/** `holdall uninstall [--dry-run]`: stops the service that `install` has started, and keeps its data. */
export const uninstall: Command = async (args, context) => {
  const { autostart, isDryRun } = read(args, context)
  const { path } = autostart
  const commands = [...autostart.stop, ...autostart.unregister]
  if (isDryRun) {
    for (const command of commands) context.print(`Would run: ${shellCommand(command)}`)
    context.print(`Would delete ${path}`)
    for (const command of autostart.afterRemoval) context.print(`Would run: ${shellCommand(command)}`)
    return
  }
  if (!existsSync(path)) throw new CommandError(`Holdall is not installed: ${path} does not exist.`)
  await unregister(autostart, commands, context.print)
  context.print('Holdall no longer starts by itself. Its data was kept.')
}

function read(args: readonly string[], context: CommandContext) {
  const given = readArguments(args, context.env, { switches: ['dry-run'] })
  return {
    autostart: autostartHere(given, context),
    shownText: autostartHere({ ...given, given: withoutSecrets(given.given) }, context).text,
    isDryRun: given.own['dry-run'] === 'true',
    config: given.config,
  }
}

async function isRunning(config: Config): Promise<boolean> {
  return await findRunningService(config).then(
    () => true,
    () => false,
  )
}
