import { systemClock } from '../clock.ts'
import { parseDateTime } from '../date-time.ts'
import { openApiKeyStore } from '../keys/api-key-store.ts'
import { openApiKeys } from '../keys/api-keys.ts'
import { openLog } from '../log.ts'
import { openAccounts } from './accounts.ts'
import { readArguments, UsageError } from './arguments.ts'
import type { Command } from './command.ts'

/** `holdall key create`: prints the key alone, so that a script can take it. */
export const keyCreate: Command = (args, around) => {
  const { own, config } = readArguments(args, around.env, { own: ['user', 'name', 'expires-at'] })
  const expiresAt = own['expires-at'] === undefined ? null : timeOf(own['expires-at'])
  if ([...(own.name ?? '')].length > 255) throw new UsageError('--name: expected at most 255 characters')
  using accounts = openAccounts(config, around.files)
  using apiKeys = openApiKeys(openApiKeyStore(accounts.db), systemClock, openLog(config))
  around.print(apiKeys.create(accounts.user(own.user).id, own.name ?? null, expiresAt).key)
}

function timeOf(text: string): number {
  const time = parseDateTime(text)
  if (time === null || time <= systemClock())
    throw new UsageError('--expires-at: expected a time to come, as in 2030-01-31T12:00:00Z')
  return time
}
