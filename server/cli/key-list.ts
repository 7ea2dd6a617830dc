import { systemClock } from '../clock.ts'
import { openApiKeyStore } from '../keys/api-key-store.ts'
import { openApiKeys } from '../keys/api-keys.ts'
import { openLog } from '../log.ts'
import { openAccounts } from './accounts.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'

/** `holdall key list [--user NAME]`: a line a key: id, first characters, name, creation, expiry, last use; tabs between. */
export const keyList: Command = (args, around) => {
  const { own, config } = readArguments(args, around.env, { own: ['user'] })
  using accounts = openAccounts(config, around.files)
  using apiKeys = openApiKeys(openApiKeyStore(accounts.db), systemClock, openLog(config))
  for (const key of apiKeys.list(accounts.user(own.user).id)) {
    const times = [key.createdAt, key.expiresAt, key.lastUsedAt].map(timeOrDash)
    around.print([key.id, `${key.prefix}...`, key.name.replace(/\p{Cc}/gu, ' '), ...times].join('\t'))
  }
}

function timeOrDash(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString()
}
