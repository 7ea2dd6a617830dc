import { SETTINGS } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { refusalOf } from '../files/refusal.ts'
import { systemFault } from '../files/system-error.ts'
import { VERSION } from '../version.ts'
import { UsageError } from './arguments.ts'
import { type Command, type CommandContext, CommandError } from './command.ts'
import { keyCreate, keyList, keyRevoke } from './keys.ts'
import { health, paths, version } from './service-info.ts'
import { createSignInLink, userAdd, userList, userRemove, userSetPlan } from './users.ts'
import { zip } from './zip.ts'

/** The other commands do not load what only the service needs, such as Elysia. */
const serve: Command = async (args, context) => (await import('./serve.ts')).serve(args, context)

const COMMANDS: Readonly<Record<string, { readonly run: Command; readonly usage: string }>> = {
  serve: { run: serve, usage: 'serve' },
  zip: { run: zip, usage: 'zip [-o FILE] [--keep-going] [--json] [URL... | -i LIST]' },
  'user add': { run: userAdd, usage: 'user add NAME [--plan free|pro]' },
  'user list': { run: userList, usage: 'user list' },
  'user set-plan': { run: userSetPlan, usage: 'user set-plan NAME free|pro' },
  'user remove': { run: userRemove, usage: 'user remove NAME' },
  'key create': { run: keyCreate, usage: 'key create [--user NAME] [--name LABEL] [--expires-at TIME]' },
  'key list': { run: keyList, usage: 'key list [--user NAME]' },
  'key revoke': { run: keyRevoke, usage: 'key revoke ID [--user NAME]' },
  'sign-in-link': { run: createSignInLink, usage: 'sign-in-link [--user NAME]' },
  health: { run: health, usage: 'health' },
  paths: { run: paths, usage: 'paths' },
  version: { run: version, usage: 'version' },
}

/** Runs one command line to its exit code: 0 done, 1 failed, 2 wrong usage. Errors are one line on stderr. */
export async function run(args: readonly string[], context: CommandContext): Promise<0 | 1 | 2> {
  try {
    await commandOf(args)(context)
    return 0
  } catch (error) {
    console.error(`holdall: ${describeFailure(error)}`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** Tries names of two words (`user add`) first. A command line without a name runs `serve`. */
function commandOf(args: readonly string[]): (context: CommandContext) => Promise<void> | void {
  if (args.includes('--help') || args.includes('-h') || args[0] === 'help')
    return ({ print }) => print(help())
  if (args[0] === '--version') return ({ print }) => print(VERSION)
  for (const wordCount of [2, 1]) {
    const command = COMMANDS[args.slice(0, wordCount).join(' ')]
    if (command !== undefined) return (context) => command.run(args.slice(wordCount), context)
  }
  const [first] = args
  if (first === undefined || first.startsWith('-')) return (context) => serve(args, context)
  throw new UsageError(`There is no command ${first}. See holdall --help.`)
}

function describeFailure(error: unknown): string {
  if (error instanceof UsageError || error instanceof CommandError || error instanceof ServiceError) {
    return error.message
  }
  if (systemFault(error) === 'database-busy')
    return 'Another program writes to the database. Try again when it has finished.'
  if (isSystemError(error) && error.path !== undefined) {
    return `${error.path} ${refusalOf(error)}. Choose another place, as with --data or --archives.`
  }
  if (systemFault(error) !== null)
    return `The data directory ${refusalOf(error)}. Fix that, or choose another with --data.`
  const message = error instanceof Error ? error.message : String(error)
  return `${message.split('\n')[0]}`
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

function help(): string {
  const commands = Object.values(COMMANDS).map(({ usage }) => `  holdall ${usage}`)
  const settings = Object.values(SETTINGS).map(({ flag, value, env, help: text }) => {
    return `  ${`--${flag}${value === null ? '' : ` ${value}`}`.padEnd(26)} ${env.padEnd(26)} ${text}`
  })
  return ['Usage:', '  holdall', ...commands, '', 'Settings:', ...settings].join('\n')
}
