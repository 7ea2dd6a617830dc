import { type AccountStore, openAccountStore } from '../../accounts/account-store.ts'
import { openSignIn, signInUrl } from '../../accounts/sign-in.ts'
import { OWNER_NAME, type User } from '../../accounts/user.ts'
import type { Config } from '../../config/config.ts'
import type { DataDir } from '../../data/data-dir.ts'
import { readServiceOrigin } from '../../data/service-origin.ts'
import type { Database } from '../../db/open.ts'
import type { ProgramFiles } from '../../program-files.ts'
import { withOwnerSettings } from '../../settings/settings.ts'
import { readOwnerSettings } from '../../settings/settings-file.ts'
import { openSealing } from '../../sites/sealing.ts'
import { formatHostPort } from '../../text/host-port.ts'
import { systemClock } from '../../time/clock.ts'
import { CommandError } from '../command.ts'
import { openUsedData } from './used-data.ts'

/** The accounts of a data directory, for commands that may run while the service does. */
export interface Accounts extends Disposable {
  readonly db: Database
  readonly dir: DataDir
  readonly store: AccountStore
  /** With what the owner has set in the interface. */
  readonly settings: Config
  /** The user with this name; the owner if no name is given. */
  user(name: string | undefined): User
  /** A one-time link to the service that runs on the directory. If none runs, a link to the address in the settings. */
  signInLink(user: User): string
}

/** @throws CommandError when there is no database: no command makes a data directory of a mistyped name */
export function openAccounts(config: Config, files: ProgramFiles): Accounts {
  const data = openUsedData(config, files.migrationsDir)
  const { dir, db } = data
  const store = openAccountStore(db)
  const owned = readOwnerSettings(dir.settings, () => openSealing(dir.sealingKey))
  const settings = withOwnerSettings(config, owned)
  // Creates the owner if the first start was killed before it did.
  store.owner(systemClock())
  return {
    db,
    dir,
    store,
    settings,
    user(name = OWNER_NAME) {
      const user = store.userNamed(name)
      if (user === null)
        throw new CommandError(
          `There is no user ${name}. See holdall user list, or add one with holdall user add.`,
        )
      return user
    },
    signInLink: (user) =>
      signInUrl(originOf(settings, dir), openSignIn(store, systemClock).issueToken(user.id).token),
    [Symbol.dispose]: () => data[Symbol.dispose](),
  }
}

function originOf(config: Config, dir: DataDir): string {
  if (config.baseUrl !== null) return config.baseUrl
  const service = readServiceOrigin(dir.serviceOrigin)
  if (service !== null) return service.origin
  return `http://${formatHostPort(config.listen.hostname, config.listen.port)}`
}
