import { z } from 'zod'
import { DEFAULT_PLANS } from '../accounts/plan.ts'
import type { StoreAccess } from '../archive-store/store-access.ts'
import { LOG_FORMATS, LOG_LEVELS } from '../logging/log.ts'
import { parseMailServer } from './mail-server.ts'
import {
  defaultDataDir,
  networks,
  orNull,
  parseBaseUrl,
  parsed,
  parseHostPort,
  path,
  readPlans,
  SettingError,
  switchSchema,
  wholeNumberText,
} from './setting-values.ts'
import { SOURCE_SETTINGS } from './source-settings.ts'
import { readStoreAccess, STORE_SETTINGS } from './store-settings.ts'

export interface Setting {
  readonly flag: string
  readonly env: string
  /** The placeholder of the value in the help; null for a switch. */
  readonly value: string | null
  readonly help: string
  /** The short form of the flag, a letter. */
  readonly short?: string
  /** Whether the flag may be repeated. The variable then holds values separated by commas. */
  readonly repeatable?: boolean
  /** Parses the text, or the list of texts if repeatable. `undefined` gives the default. */
  readonly schema: z.ZodType
  /** How the owner may change it while the service runs. Without it, only a start sets it. */
  readonly change?: SettingChange
}

export interface SettingChange {
  /**
   * Whether a code of this machine is needed (`holdall settings code`), because the change could open the machine's network, or lead
   * people and secrets to another place: a stolen key must not be enough. `to set`: not to take networks away, or to unset it.
   */
  readonly needsCode: 'never' | 'to set' | 'always'
  /** Whether it may have a password. It is stored sealed, and never told. */
  readonly isSecret?: true
}

/** One entry per setting: its names, its help, its default and its parser. */
export const SETTINGS = {
  listen: {
    flag: 'listen',
    env: 'HOLDALL_LISTEN',
    value: 'HOST:PORT',
    help: 'address to listen on (127.0.0.1:8420)',
    schema: z._default(parsed(parseHostPort, 'HOST:PORT, as in 127.0.0.1:8420'), {
      hostname: '127.0.0.1',
      port: 8420,
    }),
  },
  data: {
    flag: 'data',
    env: 'HOLDALL_DATA',
    value: 'DIR',
    help: "data directory (the platform's default, such as $XDG_DATA_HOME/holdall)",
    schema: z._default(path('a directory'), () => defaultDataDir()),
  },
  archives: {
    flag: 'archives',
    env: 'HOLDALL_ARCHIVES',
    value: 'DIR',
    help: 'directory of the archives (DATA/archives)',
    schema: orNull(path('a directory')),
  },
  ...STORE_SETTINGS,
  baseUrl: {
    flag: 'base-url',
    env: 'HOLDALL_BASE_URL',
    value: 'URL',
    help: 'URL by which clients reach the service (the origin of each request)',
    schema: orNull(parsed(parseBaseUrl, 'an http or https URL')),
    // Links with sign-in tokens lead there.
    change: { needsCode: 'to set' },
  },
  allowNetworks: {
    flag: 'allow-network',
    env: 'HOLDALL_ALLOW_NETWORK',
    value: 'CIDR',
    help: 'private network that may be fetched from (none)',
    repeatable: true,
    schema: networks,
    change: { needsCode: 'to set' },
  },
  jobs: {
    flag: 'jobs',
    env: 'HOLDALL_JOBS',
    value: 'N',
    help: 'jobs that run at once, 1 to 64 (8)',
    schema: z._default(wholeNumberText(1, 64), 8),
    change: { needsCode: 'never' },
  },
  plans: {
    flag: 'plans',
    env: 'HOLDALL_PLANS',
    value: 'FILE',
    help: 'JSON that overrides limits of the plans (those of the README)',
    schema: z._default(z.pipe(z.string(), z.transform(readPlans)), DEFAULT_PLANS),
    change: { needsCode: 'never' },
  },
  connections: {
    flag: 'connections',
    env: 'HOLDALL_CONNECTIONS',
    value: 'N',
    help: 'connections to sources in all, idle ones included (64)',
    schema: z._default(wholeNumberText(1, 256), 64),
    change: { needsCode: 'never' },
  },
  hostConnections: {
    flag: 'host-connections',
    env: 'HOLDALL_HOST_CONNECTIONS',
    value: 'N',
    help: 'most connections to one host and port (32)',
    schema: z._default(wholeNumberText(1, 256), 32),
    change: { needsCode: 'never' },
  },
  ...SOURCE_SETTINGS,
  rateLimit: {
    flag: 'rate-limit',
    env: 'HOLDALL_RATE_LIMIT',
    value: 'N',
    help: 'requests per minute and key, 0 for no limit (6000)',
    schema: z._default(wholeNumberText(0, 1_000_000), 6_000),
    change: { needsCode: 'never' },
  },
  ownerKeyFile: {
    flag: 'owner-key-file',
    env: 'HOLDALL_OWNER_KEY_FILE',
    value: 'FILE',
    help: "file of the owner's first key: read if it exists, else created (none)",
    schema: orNull(path('a file')),
  },
  keepDetails: {
    flag: 'keep-details',
    env: 'HOLDALL_KEEP_DETAILS',
    value: 'DAYS',
    help: "days to keep a job's URLs and entries after its expiry, 0 to 365 (30)",
    schema: z._default(wholeNumberText(0, 365), 30),
  },
  trustProxies: {
    flag: 'trust-proxy',
    env: 'HOLDALL_TRUST_PROXY',
    value: 'CIDR',
    help: 'network of proxies whose X-Forwarded-For, -Proto and -Host are used (none)',
    repeatable: true,
    schema: networks,
  },
  smtp: {
    flag: 'smtp',
    env: 'HOLDALL_SMTP',
    value: 'URL',
    help: 'mail server for notifiers, as smtps://USER:PASSWORD@HOST?from=ADDRESS (none: no e-mail)',
    schema: orNull(parsed(parseMailServer, 'smtps://USER:PASSWORD@HOST:PORT?from=ADDRESS, or smtp://')),
    change: { needsCode: 'to set', isSecret: true },
  },
  metricsToken: {
    flag: 'metrics-token',
    env: 'HOLDALL_METRICS_TOKEN',
    value: 'TOKEN',
    help: 'bearer token for /metrics (without one, only this machine may read it)',
    schema: orNull(
      z
        .string()
        .check(z.regex(/^[\x21-\x7e]{16,}$/, 'expected 16 or more printable characters without spaces')),
    ),
  },
  logFormat: {
    flag: 'log-format',
    env: 'HOLDALL_LOG_FORMAT',
    value: 'FORMAT',
    help: 'format of the log on stderr, json or text (text on a terminal, else json)',
    schema: orNull(z.enum(LOG_FORMATS, `expected ${LOG_FORMATS.join(' or ')}`)),
  },
  logLevel: {
    flag: 'log-level',
    env: 'HOLDALL_LOG_LEVEL',
    value: 'LEVEL',
    help: 'least urgent level to log: error, warn, info or debug (info)',
    schema: z._default(z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`), 'info'),
  },
  noOpen: {
    flag: 'no-open',
    env: 'HOLDALL_NO_OPEN',
    value: null,
    help: 'do not open a browser (one is opened only on a desktop)',
    schema: switchSchema,
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** Where the start has a setting from. */
export type GivenBy = 'flag' | 'environment'

/** All settings, as the start gives them. */
export type Config = Readonly<z.output<typeof configSchema>> & {
  /** The settings that are not left at their defaults. */
  readonly givenBy: Readonly<Partial<Record<SettingName, GivenBy>>>
  /** With the credentials of the environment; null without an archive store, or without them. */
  readonly storeAccess: StoreAccess | null
}

const configSchema = z.object({
  listen: SETTINGS.listen.schema,
  data: SETTINGS.data.schema,
  archives: SETTINGS.archives.schema,
  archiveStore: SETTINGS.archiveStore.schema,
  archiveStoreEndpoint: SETTINGS.archiveStoreEndpoint.schema,
  archiveStoreProxy: SETTINGS.archiveStoreProxy.schema,
  baseUrl: SETTINGS.baseUrl.schema,
  allowNetworks: SETTINGS.allowNetworks.schema,
  jobs: SETTINGS.jobs.schema,
  plans: SETTINGS.plans.schema,
  connections: SETTINGS.connections.schema,
  hostConnections: SETTINGS.hostConnections.schema,
  proxy: SETTINGS.proxy.schema,
  noProxy: SETTINGS.noProxy.schema,
  ca: SETTINGS.ca.schema,
  timeout: SETTINGS.timeout.schema,
  userAgent: SETTINGS.userAgent.schema,
  limitRate: SETTINGS.limitRate.schema,
  rateLimit: SETTINGS.rateLimit.schema,
  ownerKeyFile: SETTINGS.ownerKeyFile.schema,
  keepDetails: SETTINGS.keepDetails.schema,
  trustProxies: SETTINGS.trustProxies.schema,
  smtp: SETTINGS.smtp.schema,
  metricsToken: SETTINGS.metricsToken.schema,
  logFormat: SETTINGS.logFormat.schema,
  logLevel: SETTINGS.logLevel.schema,
  noOpen: SETTINGS.noOpen.schema,
} satisfies Record<keyof typeof SETTINGS, z.ZodType>)

/** The texts of each flag. */
export type Flags = Readonly<Record<string, readonly string[] | undefined>>
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Flags override the environment, which overrides the defaults.
 * @throws SettingError
 */
export function loadConfig(flags: Flags, env: Environment): Config {
  const given = Object.fromEntries(
    Object.entries<Setting>(SETTINGS).map(([name, setting]) => [name, textOf(setting, flags, env)]),
  )
  // Compiling a schema takes 3 ms, and this one is used once.
  const parsed = configSchema.safeParse(given, { jitless: true })
  if (!parsed.success) throw settingError(parsed.error)
  const storeAccess = readStoreAccess(parsed.data, env)
  return Object.freeze({ ...parsed.data, storeAccess, givenBy: givenBy(given, flags) })
}

function givenBy(given: Readonly<Record<string, unknown>>, flags: Flags): Config['givenBy'] {
  const entries = Object.entries<Setting>(SETTINGS).flatMap(([name, { flag }]): [string, GivenBy][] => {
    const text = given[name]
    if (text === undefined || (Array.isArray(text) && text.length === 0)) return []
    return [[name, flags[flag] === undefined ? 'environment' : 'flag']]
  })
  return Object.fromEntries(entries)
}

/** The text of a setting, or its texts. An empty variable counts as unset, as in `HOLDALL_PLANS= holdall`. */
export function textOf(setting: Setting, flags: Flags, env: Environment): string | string[] | undefined {
  const variable = env[setting.env] === '' ? undefined : env[setting.env]
  const texts = flags[setting.flag]
  if (setting.repeatable) return texts ? [...texts] : variable?.split(',').map((text) => text.trim())
  return texts?.at(-1) ?? variable
}

function settingError(error: z.core.$ZodError): SettingError {
  const [issue] = error.issues
  const setting = Object.entries<Setting>(SETTINGS).find(([name]) => name === issue?.path[0])?.[1]
  if (issue === undefined || setting === undefined) return new SettingError('the settings are not valid')
  return new SettingError(`--${setting.flag} (${setting.env}): ${issue.message}`)
}
