import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Arguments } from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { type Autostart, autostartOf } from './autostart.ts'

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
