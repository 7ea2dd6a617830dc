import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StartAtLogin } from '../admin/start-at-login.ts'
import type { Environment } from '../config/config.ts'
import { ServiceError } from '../errors.ts'
import type { Arguments } from './arguments.ts'
import type { Autostart } from './autostart/autostart.ts'
import { autostartHere } from './autostart/autostart-here.ts'
import { register, unregister } from './autostart/registration.ts'
import { type CommandContext, CommandError } from './command.ts'

/**
 * The switch of the Service page: `holdall install` and `uninstall` without their effect on what runs now.
 * @returns null where no user logs in, as on a server, and where the system can't start this program
 */
export function startAtLogin(
  given: Pick<Arguments, 'config' | 'given'>,
  context: Pick<CommandContext, 'env' | 'program'>,
): StartAtLogin | null {
  const autostart = isInSession(context.env) ? autostartOrNull(given, context) : null
  if (autostart === null) return null
  const isOn = () => existsSync(autostart.path)
  return {
    isOn,
    async set(wanted) {
      if (wanted === isOn()) return
      try {
        if (wanted) await register(autostart, autostart.register)
        else await unregister(autostart, autostart.unregister)
      } catch (cause) {
        const remedy = wanted ? 'stop Holdall and run holdall install' : 'run holdall uninstall'
        const message = `The system refused that. To see why, ${remedy} in a terminal.`
        throw new ServiceError('UNAVAILABLE', message, [], { cause })
      }
    },
  }
}

/** Whether the service was started by a user who logs in. On Linux, only these have a service manager of their own. */
function isInSession(env: Environment): boolean {
  if (process.platform === 'win32') return true
  if (process.getuid?.() === 0) return false
  if (process.platform === 'darwin') return true
  return existsSync(join(env.XDG_RUNTIME_DIR || '/nonexistent', 'systemd/private'))
}

function autostartOrNull(...args: Parameters<typeof autostartHere>): Autostart | null {
  try {
    return autostartHere(...args)
  } catch (error) {
    if (error instanceof CommandError) return null
    throw error
  }
}
