import { SETTINGS } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { refusalOf } from '../files/refusal.ts'
import { systemFault } from '../files/system-error.ts'
import { VERSION } from '../version.ts'
import { UsageError } from './arguments.ts'
import { type Command, CommandError, type Surroundings } from './command.ts'
import { health } from './health.ts'
import { keyCreate } from './key-create.ts'
import { keyList } from './key-list.ts'
import { keyRevoke } from './key-revoke.ts'
import { paths } from './paths.ts'
import { serve } from './serve.ts'
import { signInLinkCommand } from './sign-in-link.ts'
import { userAdd } from './user-add.ts'
import { userList } from './user-list.ts'
import { userRemove } from './user-remove.ts'
import { userSetPlan } from './user-set-plan.ts'
import { version } from './version.ts'
import { zip } from './zip.ts'

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
  'sign-in-link': { run: signInLinkCommand, usage: 'sign-in-link [--user NAME]' },
  health: { run: health, usage: 'health' },
  paths: { run: paths, usage: 'paths' },
  version: { run: version, usage: 'version' },
}

/** Runs one command line to its exit code: 0 done, 1 failed, 2 wrong usage. Errors are one line on stderr. */
export async function run(args: readonly string[], around: Surroundings): Promise<0 | 1 | 2> {
  try {
    await commandOf(args)(around)
    return 0
  } catch (error) {
    console.error(`holdall: ${sayFailure(error)}`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** The longest name wins: `user add NAME` before `user`. Without one the service is served. */
function commandOf(args: readonly string[]): (around: Surroundings) => Promise<void> | void {
  if (args.includes('--help') || args.includes('-h') || args[0] === 'help')
    return ({ print }) => print(help())
  if (args[0] === '--version') return ({ print }) => print(VERSION)
  for (const words of [2, 1]) {
    const command = COMMANDS[args.slice(0, words).join(' ')]
    if (command !== undefined) return (around) => command.run(args.slice(words), around)
  }
  const [first] = args
  if (first === undefined || first.startsWith('-')) return (around) => serve(args, around)
  throw new UsageError(`There is no command ${first}. See holdall --help.`)
}

function sayFailure(error: unknown): string {
  if (error instanceof UsageError || error instanceof CommandError || error instanceof ServiceError) {
    return error.message
  }
  if (systemFault(error) === 'database-busy')
    return 'Another program writes to the database. Try again when it has finished.'
  if (isSystemError(error) && error.path !== undefined) {
    return `${error.path} ${refusalOf(error)}. Choose another place, as with --data or --archives.`
  }
  if (systemFault(error) !== null)
    return `The data directory ${refusalOf(error)}. Mend that, or choose another with --data.`
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
