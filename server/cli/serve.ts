import { openApp } from '../app.ts'
import type { Config } from '../config.ts'
import { systemCode } from '../files/system-error.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'
import { openBrowser } from './open-browser.ts'

/** `holdall serve`: runs the service until it is told to stop. */
export const serve: Command = async (args, { env, files, openRunner, stopped, print }) => {
  const { config } = readArguments(args, env)
  await using app = await openApp({
    config,
    files,
    openRunner: (log) => openRunner(config, log),
  }).catch((error: unknown) => {
    throw explained(error, addressOf(config.listen))
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

/** As `--listen` takes it. */
function addressOf({ hostname, port }: Config['listen']): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
}

function explained(error: unknown, address: string): unknown {
  // The same codes stand for files.
  const isOfAddress = error instanceof Error && 'syscall' in error && error.syscall === 'listen'
  const remedy = isOfAddress ? REMEDIES[systemCode(error)] : undefined
  return remedy === undefined ? error : new CommandError(`${address} ${remedy}`)
}

const REMEDIES: Readonly<Record<string, string>> = {
  // Ports below 1024 are for privileged programs.
  EACCES: 'may not be listened on. Choose a port from 1024 on with --listen.',
  EADDRINUSE: 'is in use. Choose another address with --listen.',
  EADDRNOTAVAIL: 'is no address of this machine. Choose another with --listen.',
  // A name that nobody knows; what else Bun calls so, the form of the setting excludes.
  EINVAL: 'names no host that this machine knows. Choose another address with --listen.',
}
