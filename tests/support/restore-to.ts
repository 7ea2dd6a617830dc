import { restore } from '../../server/backup/restore.ts'
import { dataPaths } from '../../server/data/data-dir.ts'
import { PROGRAM_FILES } from './service.ts'

/** Restores a backup in this process to a data directory, with the archives elsewhere if a directory is given. */
export function restoreTo(data: string, from: string, archives: string | null = null): Promise<boolean> {
  const { migrationsDir } = PROGRAM_FILES
  const stop = new AbortController().signal
  return restore({ from, dir: dataPaths(data, archives), migrationsDir, stop })
}
