import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { assertRestored, type DataDir, dataPaths, openDataRoot } from '../../data/data-dir.ts'
import { openInstanceStore } from '../../data/instance-store.ts'
import { type Database, openDatabase } from '../../db/open.ts'
import { CommandError } from '../command.ts'

/** The data directory of a service and its database, for a command that may run while the service does. */
export interface UsedData extends Disposable {
  readonly dir: DataDir
  readonly db: Database
}

/**
 * Opens what a service has made, and makes nothing: a name that was mistyped is noticed. The archive directory is that of
 * `--archives`, else the one that the service has used last.
 * @throws CommandError when there is no database, or no archive directory of the given name; StartRefused when it can't be used
 */
export function openUsedData(
  { data, archives }: Pick<Config, 'data' | 'archives'>,
  migrationsDir: string,
): UsedData {
  const { database } = dataPaths(data)
  assertRestored(data)
  if (!existsSync(database))
    throw new CommandError(
      `There is no database ${database}. Name its directory with --data, or start Holdall there first.`,
    )
  if (archives !== null && !existsSync(archives))
    throw new CommandError(
      `There is no archive directory ${resolve(archives)}. Leave --archives out, or correct it.`,
    )
  openDataRoot(data)
  const db = openDatabase(database, migrationsDir)
  return {
    dir: dataPaths(data, archives ?? openInstanceStore(db).archivesDir()),
    db,
    [Symbol.dispose]: () => db[Symbol.dispose](),
  }
}
