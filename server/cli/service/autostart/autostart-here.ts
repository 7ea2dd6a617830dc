import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Arguments } from '../../arguments.ts'
import { type CommandContext, CommandError } from '../../command.ts'
import type { Autostart, InstallTarget } from './autostart.ts'
import { launchdAgent } from './launchd-agent.ts'
import { systemdSystemUnit, systemdUserUnit } from './systemd-units.ts'
import { windowsTask } from './windows-task.ts'

/**
 * How the system starts this program, for the user who runs it and with the settings that were given.
 * @throws CommandError when the system can't start this program
 */
export function autostartHere(
  { config, given }: Pick<Arguments, 'config' | 'given'>,
  { env, program }: Pick<CommandContext, 'env' | 'program'>,
): Autostart {
  const { platform } = process
  const userId = process.getuid?.() ?? null
  const isSystemService = platform === 'linux' && userId === 0
  return autostartOf({
    platform,
    userId,
    home: homedir(),
    env,
    program,
    // The default depends on variables that the session in which the service starts may not have.
    settings: isSystemService ? given : { ...given, HOLDALL_DATA: resolve(config.data) },
  })
}

/**
 * The only place that distinguishes platforms here. Everything is computed from the arguments, nothing is read or written.
 * @throws CommandError when the system can't start this program
 */
export function autostartOf(target: InstallTarget): Autostart {
  const { platform, userId } = target
  if (platform === 'linux') return userId === 0 ? systemdSystemUnit(target) : systemdUserUnit(target)
  if (platform === 'win32') return windowsTask(target)
  if (platform !== 'darwin') throw new CommandError(`Holdall cannot install itself on ${platform}.`)
  if (userId === 0)
    throw new CommandError('On macOS, Holdall is installed for one user: run this without sudo.')
  return launchdAgent(target)
}
