import type { DataDir } from '../data/data-dir.ts'
import { readBackup } from './read-backup.ts'
import { openRestoreTarget } from './restore-target.ts'

export interface RestoreOptions {
  /** A file or a directory that `backUp` has written. */
  readonly from: string
  /** Must be empty, or not exist. */
  readonly dir: DataDir
  readonly migrationsDir: string
  readonly stop: AbortSignal
}

/**
 * Restores a backup to an empty data directory. Nothing is moved to its place before every byte is checked. No service starts on
 * the directory until the restore is complete. What a killed restore has left is deleted by the next one.
 * @throws StartRefused when the backup is damaged, or the directories can't be used; the reason of `stop` when it is aborted;
 * errors of the system
 * @returns whether archives were restored to another place than that of the service that was backed up
 */
export async function restore({ from, dir, migrationsDir, stop }: RestoreOptions): Promise<boolean> {
  using target = openRestoreTarget(dir)
  await readBackup(from, target.receive, stop)
  return target.place(migrationsDir)
}
