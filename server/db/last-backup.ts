import type { Database } from './open.ts'
import { instance } from './schema.ts'

/** A backup that was completed. */
export interface LastBackup {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly sizeBytes: number
}

/** The last backup of this database. */
export function openLastBackup({ orm }: Database) {
  return {
    read(): LastBackup | null {
      const { backedUpAt = null, backupBytes = null } = orm.select().from(instance).get() ?? {}
      return backedUpAt === null || backupBytes === null ? null : { at: backedUpAt, sizeBytes: backupBytes }
    },
    write({ at, sizeBytes }: LastBackup): void {
      orm.update(instance).set({ backedUpAt: at, backupBytes: sizeBytes }).run()
    },
  }
}
