import type { Config } from '../../config/config.ts'
import { ServiceError } from '../../errors.ts'
import { openApiKeyStore } from '../../keys/api-key-store.ts'
import { type ApiKeys, openApiKeys } from '../../keys/api-keys.ts'
import { openLog } from '../../logging/log.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { systemClock } from '../../time/clock.ts'
import { parseDateTime } from '../../time/date-time.ts'
import { readArguments } from '../arguments.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { type Accounts, openAccounts } from './accounts.ts'

/** `holdall key create`: prints the key and nothing else, so that a script can read it. */
export const keyCreate: Command = async (args, context) => {
  const { own, config } = readArguments(args, context.env, { own: ['user', 'name', 'expires-at'] })
  const expiresAt = own['expires-at'] === undefined ? null : parseExpiry(own['expires-at'])
  if ([...(own.name ?? '')].length > MAX_NAME_CHARACTERS)
    throw new UsageError(`--name: expected at most ${MAX_NAME_CHARACTERS} characters`)
  using accounts = openAccounts(config, context.files)
  using apiKeys = openKeysOf(accounts, config)
  context.print(apiKeys.create(accounts.user(own.user).id, own.name ?? null, expiresAt).key)
}

/**
 * `holdall key list [--user NAME]`: one line per key: id, first characters, name, creation, expiry and last use, separated
 * by tabs.
 */
export const keyList: Command = async (args, context) => {
  const { own, config } = readArguments(args, context.env, { own: ['user'] })
  using accounts = openAccounts(config, context.files)
  using apiKeys = openKeysOf(accounts, config)
  const { keys } = apiKeys.list(accounts.user(own.user).id, {
    cursor: null,
    limit: Number.MAX_SAFE_INTEGER - 1,
  })
  for (const key of keys) {
    const times = [key.createdAt, key.expiresAt, key.lastUsedAt].map(timeOrDash)
    context.print([key.id, `${key.prefix}...`, key.name.replace(/\p{Cc}/gu, ' '), ...times].join('\t'))
  }
}

/** `holdall key revoke ID [--user NAME]`: takes effect with the next request and can't be undone. */
export const keyRevoke: Command = async (args, context) => {
  const { positionals, own, config } = readArguments(args, context.env, {
    own: ['user'],
    positionals: ['ID'],
  })
  using accounts = openAccounts(config, context.files)
  using apiKeys = openKeysOf(accounts, config)
  const user = accounts.user(own.user)
  try {
    apiKeys.revoke(user.id, positionals[0] ?? '')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new CommandError(`${user.name} has no such key. See holdall key list --user ${user.name}.`)
  }
}

function openKeysOf(accounts: Accounts, config: Config): ApiKeys {
  return openApiKeys(openApiKeyStore(accounts.db), systemClock, openLog(config))
}

function parseExpiry(text: string): number {
  const time = parseDateTime(text)
  if (time === null || time <= systemClock())
    throw new UsageError('--expires-at: expected a time in the future, as in 2030-01-31T12:00:00Z')
  return time
}

function timeOrDash(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString()
}

const MAX_NAME_CHARACTERS = REQUEST_LIMITS.apiKeyNameCharacters
