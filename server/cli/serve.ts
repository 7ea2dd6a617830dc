import { openApp } from '../app.ts'
import type { Config } from '../config.ts'
import { NoKeyInFile } from '../keys/key-file.ts'
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
  if (error instanceof NoKeyInFile) {
    return new CommandError(
      'The file of --owner-key-file holds no API key. Delete it to have one made there.',
    )
  }
  if (isRefusedPort(error)) {
    return new CommandError(`${address} may not be listened on. Choose a port from 1024 on with --listen.`)
  }
  const remedy = error instanceof Error && 'code' in error ? REMEDIES[String(error.code)] : undefined
  return remedy === undefined ? error : new CommandError(`${address} ${remedy}`)
}

/** Ports below 1024 are for privileged programs; the same code stands for files that may not be written. */
function isRefusedPort(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return false
  return error.code === 'EACCES' && error.syscall === 'listen'
}

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. Choose another address with --listen.',
  EADDRNOTAVAIL: 'is no address of this machine. Choose another with --listen.',
}
