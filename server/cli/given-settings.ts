import { resolve } from 'node:path'
import { STORE_VARIABLES } from '../archive-store/store-access.ts'
import { type Environment, type Flags, SETTINGS, textOf } from '../config/config.ts'

/**
 * The settings that a flag or the environment names, by the variable of each, for a start from another directory: paths are
 * absolute. With the credentials of an archive store, which have variables alone. Without `--no-open`, which belongs to a start, not
 * to a service.
 */
export function givenSettings(flags: Flags, env: Environment): Record<string, string> {
  const given = Object.values(SETTINGS).flatMap((setting) => {
    const texts = textOf(setting, flags, env)
    if (texts === undefined || setting === SETTINGS.noOpen) return []
    const isPath = PATHS.has(setting.flag)
    const text = [texts].flat().map((each) => (isPath ? resolve(each) : each))
    return [[setting.env, text.join(',')]]
  })
  const settings = Object.fromEntries(given)
  return STORE in settings ? { ...settings, ...credentialsIn(env) } : settings
}

/** The same with secrets hidden, to be shown. */
export function withoutSecrets(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, SECRETS.has(name) ? '...' : value]),
  )
}

function credentialsIn(env: Environment): Record<string, string> {
  return Object.fromEntries(
    STORE_VARIABLES.flatMap((name) => {
      const value = env[name]
      return value ? [[name, value]] : []
    }),
  )
}

const STORE = SETTINGS.archiveStore.env
const SECRETS: ReadonlySet<string> = new Set([
  SETTINGS.metricsToken.env,
  // With passwords.
  SETTINGS.proxy.env,
  SETTINGS.smtp.env,
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
])

const PATHS: ReadonlySet<string> = new Set(
  [SETTINGS.data, SETTINGS.archives, SETTINGS.plans, SETTINGS.ownerKeyFile, SETTINGS.ca].map(
    ({ flag }) => flag,
  ),
)
