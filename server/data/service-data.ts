import { type Database, openDatabase } from '../db/open.ts'
import { DataDirectoryInUse } from '../errors.ts'
import type { Log } from '../logging/log.ts'
import { acquireArchiveDirectory, type KnownFiles } from './acquire-archive-directory.ts'
import { type DataDir, openDataDir } from './data-dir.ts'
import { lockFile } from './file-lock.ts'
import { type InstanceStore, openInstanceStore } from './instance-store.ts'

/** The directories and the database of a running service. No other service can use them until this is disposed of. */
export interface ServiceData<Files extends KnownFiles> extends Disposable {
  readonly dir: DataDir
  readonly db: Database
  readonly instance: InstanceStore
  readonly knownFiles: Files
}

export interface ServiceDataOptions<Files extends KnownFiles> {
  readonly data: string
  readonly archives: string | null
  readonly migrationsDir: string
  readonly log: Log
  openKnownFiles(db: Database): Files
}

/**
 * Locks the data directory, opens its database and acquires its archive directory.
 * @throws StartRefused when one of them can't be used
 */
export function openServiceData<Files extends KnownFiles>(
  options: ServiceDataOptions<Files>,
): ServiceData<Files> {
  using stack = new DisposableStack()
  const dir = openDataDir(options.data, options.archives)
  const lock = lockFile(dir.serviceLock)
  if (lock === null) {
    throw new DataDirectoryInUse(
      `Another Holdall runs on the data directory ${dir.root}. Stop it, or choose another with --data.`,
    )
  }
  stack.use(lock)
  const db = stack.use(openDatabase(dir.database, options.migrationsDir))
  const instance = openInstanceStore(db)
  const knownFiles = options.openKnownFiles(db)
  stack.use(acquireArchiveDirectory(dir, instance, knownFiles, options.log))
  const parts = stack.move()
  return { dir, db, instance, knownFiles, [Symbol.dispose]: () => parts.dispose() }
}
