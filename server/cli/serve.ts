import { resolve } from 'node:path'
import { openApp } from '../app.ts'
import { formatHostPort } from '../fetching/ip-address.ts'
import { systemCode } from '../files/system-error.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'
import { openBrowser } from './open-browser.ts'
import { shellCommand } from './shell-command.ts'
import { openSystemdNotifier } from './systemd-notifier.ts'

/** `holdall serve`: runs the service until SIGINT or SIGTERM. */
export const serve: Command = async (args, { env, files, program, stopped, print }) => {
  const { config } = readArguments(args, env)
  using systemd = openSystemdNotifier(env)
  await using app = await openApp({ config, files }).catch((error: unknown) => {
    throw withRemedy(error, formatHostPort(config.listen.hostname, config.listen.port))
  })
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

function withRemedy(error: unknown, address: string): unknown {
  // Errors of files have the same codes, so the code alone is not enough.
  const isListenError = error instanceof Error && 'syscall' in error && error.syscall === 'listen'
  const remedy = isListenError ? REMEDIES[systemCode(error)] : undefined
  return remedy === undefined ? error : new CommandError(`${address} ${remedy}`)
}

const REMEDIES: Readonly<Record<string, string>> = {
  // Ports below 1024 are reserved for privileged programs.
  EACCES: 'is reserved for privileged programs. Choose a port from 1024 on with --listen.',
  EADDRINUSE: 'is in use. Choose another address with --listen.',
  EADDRNOTAVAIL: 'is not an address of this machine. Choose another with --listen.',
  // An unknown host name. Other causes of this code can't occur, since the setting has been validated.
  EINVAL: 'cannot be resolved to an address of this machine. Choose another address with --listen.',
}
