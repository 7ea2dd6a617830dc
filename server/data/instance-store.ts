import type { Database } from '../db/open.ts'
import { instance } from '../db/schema.ts'

/** The one row about the database itself. */
export type InstanceStore = ReturnType<typeof openInstanceStore>

/** A backup that was completed. */
export interface LastBackup {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly sizeBytes: number
}

export function openInstanceStore(db: Database) {
  const select = db.orm.select().from(instance).prepare()

  function read() {
    const row = select.get()
    if (row === undefined) throw new Error('the database has no row about itself')
    return row
  }

  return {
    /** The random id of this database. It stays the same when the database is moved. */
    id: (): string => read().id,
    /** The time at which a running service last trusted the clock; null before the first. */
    trustedTime: (): number | null => read().servedAt,
    setTrustedTime(time: number): void {
      db.transaction((tx) => tx.update(instance).set({ servedAt: time }).run())
    },
    /** The last backup of this database; null before the first. */
    lastBackup(): LastBackup | null {
      const { backedUpAt, backupBytes } = read()
      return backedUpAt === null || backupBytes === null ? null : { at: backedUpAt, sizeBytes: backupBytes }
    },
    /** The archive directory that a service has used last; null for the one in the data directory, and before the first service. */
    archivesDir: (): string | null => read().archivesDir,
    setArchivesDir(path: string | null): void {
      if (path === read().archivesDir) return
      db.transaction((tx) => tx.update(instance).set({ archivesDir: path }).run())
    },
    setLastBackup({ at, sizeBytes }: LastBackup): void {
      db.transaction((tx) => tx.update(instance).set({ backedUpAt: at, backupBytes: sizeBytes }).run())
    },
  }
}
