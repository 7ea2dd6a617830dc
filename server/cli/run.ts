import type { Setting } from '../config/config.ts'
import { ServiceError } from '../errors.ts'
import { refusalOf } from '../files/refusal.ts'
import { refusedPath, systemFault } from '../files/system-error.ts'
import { type Command, type CommandContext, CommandError, UsageError } from './command.ts'
import { version } from './version.ts'

interface CommandEntry {
  readonly usage: string
  /** Imports the command lazily, so that no command loads modules that only others need. */
  load(): Promise<Command>
}

const serve: CommandEntry = { usage: 'serve', load: async () => (await import('./service/serve.ts')).serve }

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve,
  zip: {
    usage:
      'zip [-o FILE] [--keep-going] [--fail-on-warning] [--manifest] [--remember] [--base OLD.zip [--reuse unchanged|all]] [--json] [LOGINS] [URL... | -i LIST] [--curl FILE]',
    load: async () => (await import('./standalone/zip.ts')).zip,
  },
  links: {
    usage: 'links [--kind KIND] [--match GLOB] [--folders] [LOGINS] URL | --curl FILE',
    load: async () => (await import('./standalone/links.ts')).links,
  },
  verify: {
    usage: 'verify FILE.zip [--json]',
    load: async () => (await import('./standalone/verify.ts')).verify,
  },
  pull: {
    usage: 'pull LINK -o FILE [--have OLD.zip]',
    load: async () => (await import('./standalone/pull.ts')).pull,
  },
  'user add': {
    usage: 'user add NAME [--plan free|pro]',
    load: async () => (await import('./data/users.ts')).userAdd,
  },
  'user list': { usage: 'user list', load: async () => (await import('./data/users.ts')).userList },
  'user set-plan': {
    usage: 'user set-plan NAME free|pro',
    load: async () => (await import('./data/users.ts')).userSetPlan,
  },
  'user remove': {
    usage: 'user remove NAME',
    load: async () => (await import('./data/users.ts')).userRemove,
  },
  'key create': {
    usage: 'key create [--user NAME] [--name LABEL] [--expires-at TIME]',
    load: async () => (await import('./data/keys.ts')).keyCreate,
  },
  'key list': { usage: 'key list [--user NAME]', load: async () => (await import('./data/keys.ts')).keyList },
  'key revoke': {
    usage: 'key revoke ID [--user NAME]',
    load: async () => (await import('./data/keys.ts')).keyRevoke,
  },
  'schedule add': {
    usage:
      'schedule add NAME [URL... | -i LIST | --page URL [--kind KIND] [--match GLOB]] --every hour|day|week|month | --cron FIELDS [--time-zone ZONE] [--keep N] [--reuse unchanged|none] [--on-gone keep|leave_out|fail] [--zip-filename NAME] [--user NAME]',
    load: async () => (await import('./data/schedules.ts')).scheduleAdd,
  },
  'schedule list': {
    usage: 'schedule list [--user NAME]',
    load: async () => (await import('./data/schedules.ts')).scheduleList,
  },
  'schedule run': {
    usage: 'schedule run NAME|ID [--user NAME]',
    load: async () => (await import('./data/schedules.ts')).scheduleRun,
  },
  'schedule pause': {
    usage: 'schedule pause NAME|ID [--user NAME]',
    load: async () => (await import('./data/schedules.ts')).schedulePause,
  },
  'schedule resume': {
    usage: 'schedule resume NAME|ID [--user NAME]',
    load: async () => (await import('./data/schedules.ts')).scheduleResume,
  },
  'schedule remove': {
    usage: 'schedule remove NAME|ID [--user NAME]',
    load: async () => (await import('./data/schedules.ts')).scheduleRemove,
  },
  'sign-in-link': {
    usage: 'sign-in-link [--user NAME]',
    load: async () => (await import('./data/users.ts')).createSignInLink,
  },
  'secret rotate': {
    usage: 'secret rotate [--end-links]',
    load: async () => (await import('./data/secret.ts')).secretRotate,
  },
  settings: { usage: 'settings', load: async () => (await import('./data/settings.ts')).settingsList },
  'settings code': {
    usage: 'settings code',
    load: async () => (await import('./data/settings.ts')).settingsCode,
  },
  install: {
    usage: 'install [--dry-run]',
    load: async () => (await import('./service/install.ts')).install,
  },
  uninstall: {
    usage: 'uninstall [--dry-run]',
    load: async () => (await import('./service/install.ts')).uninstall,
  },
  backup: {
    usage: 'backup FILE [--exclude-archives]',
    load: async () => (await import('./data/backup.ts')).backup,
  },
  restore: { usage: 'restore FILE', load: async () => (await import('./data/backup.ts')).restore },
  health: { usage: 'health', load: async () => (await import('./data/service-info.ts')).health },
  paths: { usage: 'paths', load: async () => (await import('./data/service-info.ts')).paths },
  version: { usage: 'version', load: async () => version },
}

/** Runs a command line and returns its exit code: 0 done, 1 failed, 2 wrong usage. An error is one line on stderr. */
export async function run(args: readonly string[], context: CommandContext): Promise<0 | 1 | 2> {
  try {
    await commandOf(args)(context)
    return 0
  } catch (error) {
    console.error(`holdall: ${describeFailure(error)}`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** Whether the command line runs the service, or packs: only then does more than a moment depend on the runtime. */
export function isLong(args: readonly string[]): boolean {
  if (asksForHelp(args) || args[0] === '--version') return false
  const { command } = namedCommand(args) ?? {}
  return command === serve || command === COMMANDS.zip
}

function commandOf(args: readonly string[]): (context: CommandContext) => Promise<void> {
  if (asksForHelp(args)) return async ({ print }) => print(await help())
  if (args[0] === '--version') return async (context) => version([], context)
  const named = namedCommand(args)
  if (named === null) throw new UsageError(`There is no command ${args[0]}. See holdall --help.`)
  return (context) => runCommand(named.command, named.rest, context)
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h') || args[0] === 'help'
}

/** Tries commands of two words (`user add`) first. Without a command, it is `serve`. Null for an unknown command. */
function namedCommand(args: readonly string[]): { command: CommandEntry; rest: readonly string[] } | null {
  for (const wordCount of [2, 1]) {
    const name = args.slice(0, wordCount).join(' ')
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command !== undefined) return { command, rest: args.slice(wordCount) }
  }
  const [first] = args
  return first === undefined || first.startsWith('-') ? { command: serve, rest: args } : null
}

async function runCommand(
  command: CommandEntry,
  args: readonly string[],
  context: CommandContext,
): Promise<void> {
  const run = await command.load()
  await run(args, context)
}

function describeFailure(error: unknown): string {
  if (error instanceof UsageError || error instanceof CommandError || error instanceof ServiceError) {
    return error.message
  }
  if (systemFault(error) === 'database-busy')
    return 'Another program is writing to the database. Try again when it has finished.'
  const path = refusedPath(error)
  if (path !== null)
    return `${path} ${refusalOf(error)}. Choose another place, for example with --data or --archives.`
  if (systemFault(error) !== null)
    return `The data directory ${refusalOf(error)}. Fix that, or choose another with --data.`
  const message = error instanceof Error ? error.message : String(error)
  return `${message.split('\n')[0]}`
}

async function help(): Promise<string> {
  const { SETTINGS } = await import('../config/config.ts')
  const { LOGIN_HELP } = await import('./sources/source-logins.ts')
  const commands = Object.values(COMMANDS).map(({ usage }) => `  holdall ${usage}`)
  const settings = Object.values<Setting>(SETTINGS).map(({ flag, short, value, env, help: text }) => {
    const flags = `${short === undefined ? '' : `-${short}, `}--${flag}${value === null ? '' : ` ${value}`}`
    return `  ${flags.padEnd(26)} ${env.padEnd(26)} ${text}`
  })
  return ['Usage:', '  holdall', ...commands, '', LOGIN_HELP, '', 'Settings:', ...settings].join('\n')
}
