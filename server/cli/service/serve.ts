import { resolve } from 'node:path'
import { openApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { DataDirectoryInUse } from '../../errors.ts'
import { systemCode } from '../../files/system-error.ts'
import { formatHostPort } from '../../text/host-port.ts'
import { VERSION } from '../../version.ts'
import { readArguments } from '../arguments.ts'
import { type Command, type CommandContext, CommandError } from '../command.ts'
import { openAccounts } from '../data/accounts.ts'
import { findRunningService, type RunningService } from '../data/running-service.ts'
import { shellCommand } from '../shell-command.ts'
import { openBrowser } from './open-browser.ts'
import { openSystemdNotifier } from './systemd-notifier.ts'

/**
 * `holdall serve`: runs the service until SIGINT or SIGTERM. If one runs on the data directory already, opens that one in the
 * browser and ends.
 */
export const serve: Command = async (args, context) => {
  const { env, files, program, stopped, print } = context
  const { config } = readArguments(args, env)
  using systemd = openSystemdNotifier(env)
  await using app = await openApp({ config, files }).catch(async (error: unknown) => {
    if (!(error instanceof DataDirectoryInUse)) {
      throw await withRemedy(error, config.listen)
    }
    const running = await findRunningService(config).catch(() => null)
    // It starts, stops, or does not respond.
    if (running === null) throw error
    openRunningService(running, config, context)
    return null
  })
  if (app === null) return
  const link = app.firstSignInLink()
  print(`Holdall listens on ${app.origin}`)
  if (link !== null) print(`Sign in once, within 30 minutes: ${link}`)
  // With the data directory, because without it the command would use that of the user who runs it.
  const command = shellCommand([...program, 'sign-in-link', '--data', resolve(config.data)])
  print(`Get another sign-in link with: ${command}`)
  if (!config.noOpen) openBrowser(link ?? app.origin)
  systemd.ready()
  await new Promise<void>((resolve) => {
    if (stopped.aborted) resolve()
    stopped.addEventListener('abort', () => resolve(), { once: true })
  })
  systemd.stopping()
}

/** The owner may need a link: a service that the system starts prints its own to a log. */
function openRunningService(
  { origin, health }: RunningService,
  config: Config,
  context: CommandContext,
): void {
  context.print(`Holdall already runs on this data directory: ${origin}`)
  let link: string | null = null
  if (health.version === VERSION) {
    using accounts = openAccounts(config, context.files)
    const owner = accounts.user(undefined)
    link = accounts.store.hasSignedIn(owner.id) ? null : accounts.signInLink(owner)
  } else {
    // The database is not opened, since that converts it if this version needs another schema.
    context.print(`To run version ${VERSION} instead of ${health.version ?? 'that one'}, stop it first.`)
  }
  if (link !== null) context.print(`Sign in once, within 30 minutes: ${link}`)
  if (!config.noOpen) openBrowser(link ?? origin)
}

async function withRemedy(error: unknown, { hostname, port }: Config['listen']): Promise<unknown> {
  // Errors of files have the same codes, so the code alone is not enough.
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen')) return error
  // For a name that can't be resolved, Bun reports the code of whatever system call failed before.
  const remedy = (await isResolvable(hostname)) ? REMEDIES[systemCode(error)] : UNKNOWN_HOST
  return remedy === undefined ? error : new CommandError(`${formatHostPort(hostname, port)} ${remedy}`)
}

async function isResolvable(hostname: string): Promise<boolean> {
  try {
    return (await Bun.dns.lookup(hostname, { backend: 'system' })).length > 0
  } catch {
    return false
  }
}

const UNKNOWN_HOST = 'cannot be resolved to an address of this machine. Choose another address with --listen.'

const REMEDIES: Readonly<Record<string, string>> = {
  // Ports below 1024 are reserved for privileged programs.
  EACCES: 'is reserved for privileged programs. Choose a port from 1024 on with --listen.',
  EADDRINUSE: 'is in use. Choose another address with --listen.',
  EADDRNOTAVAIL: 'is not an address of this machine. Choose another with --listen.',
}
