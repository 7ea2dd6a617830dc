import { openApp } from '../app.ts'
import type { Config } from '../config.ts'
import { systemCode } from '../files/system-error.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'
import { openBrowser } from './open-browser.ts'

/** `holdall serve`: runs the service until SIGINT or SIGTERM. */
export const serve: Command = async (args, { env, files, openRunner, stopped, print }) => {
  const { config } = readArguments(args, env)
  await using app = await openApp({
    config,
    files,
    openRunner: (log) => openRunner(config, log),
  }).catch((error: unknown) => {
    throw withRemedy(error, addressOf(config.listen))
  })
  const link = app.firstSignInLink()
  print(`Holdall listens on ${app.origin}`)
  if (link !== null) print(`Sign in once, within 30 minutes: ${link}`)
  if (!config.noOpen) openBrowser(link ?? app.origin)
  await new Promise<void>((resolve) => {
    if (stopped.aborted) resolve()
    stopped.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** In the form that `--listen` takes. */
function addressOf({ hostname, port }: Config['listen']): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
}

function withRemedy(error: unknown, address: string): unknown {
  // Errors of files have the same codes.
  const isListenError = error instanceof Error && 'syscall' in error && error.syscall === 'listen'
  const remedy = isListenError ? REMEDIES[systemCode(error)] : undefined
  return remedy === undefined ? error : new CommandError(`${address} ${remedy}`)
}

const REMEDIES: Readonly<Record<string, string>> = {
  // Ports below 1024 are reserved for privileged programs.
  EACCES: 'may not be listened on. Choose a port from 1024 on with --listen.',
  EADDRINUSE: 'is in use. Choose another address with --listen.',
  EADDRNOTAVAIL: 'is no address of this machine. Choose another with --listen.',
  // An unknown host name. The setting's own syntax rules out the other reasons for which Bun gives this code.
  EINVAL: 'names no host that this machine knows. Choose another address with --listen.',
}
