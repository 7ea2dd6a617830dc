import type { Config } from '../config/config.ts'
import { acquireArchiveDirectory } from '../data/acquire-archive-directory.ts'
import { type DataDir, openDataDir } from '../data/data-dir.ts'
import { lockFile } from '../db/file-lock.ts'
import { instanceIdOf } from '../db/instance-id.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { DataDirectoryInUse } from '../errors.ts'
import type { Log } from '../logging/log.ts'
import { type FileDeletionStore, openFileDeletionStore } from './file-deletion-store.ts'

/** The directories and the database of a running service. No other service can use them until this is disposed of. */
export interface ServiceData extends Disposable {
  readonly dir: DataDir
  readonly db: Database
  readonly fileDeletionStore: FileDeletionStore
}

/**
 * Locks the data directory, opens its database and acquires its archive directory.
 * @param freeBytes the free space on the disk of a directory
 * @throws StartRefused when one of them can't be used
 */
export function openServiceData(
  config: Pick<Config, 'data' | 'archives'>,
  migrationsDir: string,
  freeBytes: (directory: string) => number,
  log: Log,
): ServiceData {
  using stack = new DisposableStack()
  const dir = openDataDir(config.data, config.archives)
  const lock = lockFile(dir.serviceLock)
  if (lock === null) {
    throw new DataDirectoryInUse(
      `Another Holdall runs on the data directory ${dir.root}. Stop it, or choose another with --data.`,
    )
  }
  stack.use(lock)
  const db = stack.use(openDatabase(dir.database, migrationsDir))
  if (!db.enableVacuum(freeBytes(dir.root))) {
    log.warn(
      'the database is too large to be converted: it reuses the space of deleted rows but never shrinks',
    )
  }
  const fileDeletionStore = openFileDeletionStore(db)
  stack.use(acquireArchiveDirectory(dir, instanceIdOf(db), fileDeletionStore, log))
  const parts = stack.move()
  return { dir, db, fileDeletionStore, [Symbol.dispose]: () => parts.dispose() }
}
