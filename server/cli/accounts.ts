import { existsSync } from 'node:fs'
import { type AccountStore, openAccountStore } from '../accounts/account-store.ts'
import { openSignIn, signInLink } from '../accounts/sign-in.ts'
import { OWNER_NAME, type User } from '../accounts/user.ts'
import type { ProgramFiles } from '../app.ts'
import { type Config, SETTINGS } from '../config/config.ts'
import { type DataDir, dataPaths, openDataDir } from '../data/data-dir.ts'
import { readServiceOrigin } from '../data/service-origin.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { formatHostPort } from '../text/host-port.ts'
import { systemClock } from '../time/clock.ts'
import type { Arguments } from './arguments.ts'
import { CommandError } from './command.ts'
import { openUsedData, type UsedData } from './used-data.ts'

/** The accounts of a data directory, for commands that may run while the service does. */
export interface Accounts extends Disposable {
  readonly db: Database
  readonly dir: DataDir
  readonly store: AccountStore
  /** The user with this name; the owner if no name is given. */
  user(name: string | undefined): User
  /** A one-time link to the service that runs on the directory. If none runs, a link to the address in the settings. */
  signInLink(user: User): string
}

/** @throws CommandError when there is no database: see `setUpAccounts` */
export function openAccounts(config: Config, files: ProgramFiles): Accounts {
  return accountsIn(openUsedData(config, files.migrationsDir), config)
}

/**
 * The same for a command that may prepare a data directory before the first start. It makes one if `--data` or `HOLDALL_DATA` has
 * named it.
 */
export function setUpAccounts(
  { config, given }: Pick<Arguments, 'config' | 'given'>,
  files: ProgramFiles,
): Accounts {
  const { database } = dataPaths(config.data)
  if (existsSync(database) || given[SETTINGS.data.env] === undefined) return openAccounts(config, files)
  const dir = openDataDir(config.data, config.archives)
  const db = openDatabase(database, files.migrationsDir)
  return accountsIn({ dir, db, [Symbol.dispose]: () => db[Symbol.dispose]() }, config)
}

function accountsIn(data: UsedData, config: Config): Accounts {
  const { dir, db } = data
  const store = openAccountStore(db)
  // Creates the owner if the service has never run.
  store.owner(systemClock())
  return {
    db,
    dir,
    store,
    user(name = OWNER_NAME) {
      const user = store.userNamed(name)
      if (user === null)
        throw new CommandError(
          `There is no user ${name}. See holdall user list, or add one with holdall user add.`,
        )
      return user
    },
    signInLink: (user) =>
      signInLink(originOf(config, dir), openSignIn(store, systemClock).issueToken(user.id).token),
    [Symbol.dispose]: () => data[Symbol.dispose](),
  }
}

function originOf(config: Config, dir: DataDir): string {
  if (config.baseUrl !== null) return config.baseUrl
  const service = readServiceOrigin(dir.serviceOrigin)
  if (service !== null) return service.origin
  return `http://${formatHostPort(config.listen.hostname, config.listen.port)}`
}
