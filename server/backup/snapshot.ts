import { closeAsOneFile } from '../db/close-as-one-file.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { StartRefused } from '../errors.ts'
import { createPrivately } from '../files/private-file.ts'
import { type KeptArchive, openSnapshotStore } from './snapshot-store.ts'

/** A copy of the database, which is changed to describe what the backup contains. */
export interface Snapshot extends Disposable {
  /** The archives that the copy knows, those that expire first at the beginning. */
  archives(): KeptArchive[]
  /** Records that the backup contains an archive: once restored, it is in the archive directory. */
  keepLocally(jobId: string): void
  /** Expires an archive that was deleted while the backup ran. */
  expire(jobId: string, now: number): void
  /** Checks the copy and closes it. @throws StartRefused when the database is damaged */
  finish(): void
}

/**
 * Copies the database to `path`, and drops the checkpoints in the copy: the bytes of unfinished jobs change all the time and
 * can be fetched again, so they are not backed up.
 */
export function takeSnapshot(db: Database, path: string, migrationsDir: string, now: number): Snapshot {
  createPrivately(path)
  db.copyTo(path)
  const copy = openDatabase(path, migrationsDir)
  const store = openSnapshotStore(copy)
  store.dropCheckpoints(now)
  return {
    archives: store.archives,
    keepLocally: store.keepLocally,
    expire: store.expire,
    finish() {
      if (!store.isWhole()) throw new StartRefused(DAMAGED)
      closeAsOneFile(copy)
    },
    [Symbol.dispose]: () => copy[Symbol.dispose](),
  }
}

const DAMAGED = 'The database is damaged, so it cannot be backed up. Restore it from an earlier backup.'
