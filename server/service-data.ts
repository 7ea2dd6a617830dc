import type { Config } from './config/config.ts'
import { acquireArchiveDirectory } from './data/acquire-archive-directory.ts'
import { type DataDir, openDataDir } from './data/data-dir.ts'
import { lockFile } from './data/file-lock.ts'
import { type Database, openDatabase } from './db/open.ts'
import { DataDirectoryInUse } from './errors.ts'
import { removeLeftover } from './files/durable.ts'
import type { Log } from './logging/log.ts'
import type { ScheduleEvent } from './schedules/run-store.ts'
import { openStores, type Stores } from './stores.ts'
import type { Clock } from './time/clock.ts'

/** The directories and the database of a running service. No other service can use them until this is disposed of. */
export interface ServiceData extends Disposable {
  readonly dir: DataDir
  readonly db: Database
  readonly stores: Stores
}

export interface ServiceDataOptions {
  readonly config: Pick<Config, 'data' | 'archives' | 'ownerKeyFile'>
  readonly migrationsDir: string
  readonly clock: Clock
  readonly log: Log
  /** Called with what happens to runs and schedules. */
  counted(event: ScheduleEvent): void
}

/**
 * Locks the data directory, opens its database, acquires its archive directory, and removes what killed writes have left.
 * @throws StartRefused when one of them can't be used
 */
export function openServiceData(options: ServiceDataOptions): ServiceData {
  const { config, clock, log } = options
  using stack = new DisposableStack()
  const dir = openDataDir(config.data, config.archives)
  const lock = lockFile(dir.serviceLock)
  if (lock === null) {
    throw new DataDirectoryInUse(
      `Another Holdall runs on the data directory ${dir.root}. Stop it, or choose another with --data.`,
    )
  }
  stack.use(lock)
  const db = stack.use(openDatabase(dir.database, options.migrationsDir))
  const stores = openStores(db, options.counted)
  stack.use(acquireArchiveDirectory(dir, stores.instance, stores.fileDeletions, log))
  for (const path of [dir.signingSecrets, dir.archiveOwner, dir.settings, config.ownerKeyFile])
    if (path !== null) removeLeftover(path, clock())
  const parts = stack.move()
  return { dir, db, stores, [Symbol.dispose]: () => parts.dispose() }
}
