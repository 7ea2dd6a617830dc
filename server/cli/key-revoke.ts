import { systemClock } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import { openApiKeyStore } from '../keys/api-key-store.ts'
import { openApiKeys } from '../keys/api-keys.ts'
import { openLog } from '../log.ts'
import { openAccounts } from './accounts.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'

/** `holdall key revoke ID [--user NAME]`: for good, from the next request on. */
export const keyRevoke: Command = (args, around) => {
  const { positionals, own, config } = readArguments(args, around.env, { own: ['user'], positionals: ['ID'] })
  using accounts = openAccounts(config, around.files)
  using apiKeys = openApiKeys(openApiKeyStore(accounts.db), systemClock, openLog(config))
  const user = accounts.user(own.user)
  try {
    apiKeys.revoke(user.id, positionals[0] ?? '')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new CommandError(`${user.name} has no such key. See holdall key list --user ${user.name}.`)
  }
}
