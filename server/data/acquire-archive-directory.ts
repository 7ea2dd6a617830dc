// server/decisions/data-directory.md says why an archive directory has an owner.

import { StartRefused } from '../errors.ts'
import type { Log } from '../logging/log.ts'
import {
  isJobFile,
  type JobFile,
  listJobFiles,
  readArchiveOwner,
  setAside,
  writeArchiveOwner,
} from './archive-dir.ts'
import { type DataDir, dataPaths, recordedArchives } from './data-dir.ts'
import { lockFile } from './file-lock.ts'
import type { InstanceStore } from './instance-store.ts'
import { removeAbandoned } from './staging.ts'

/**
 * Locks the archive directory for a database, until disposed of, and records in the database where it is. Sets aside files of jobs
 * that the database has never known, but not files that are about to be deleted. A directory without an owner is acquired if it has
 * no files of jobs.
 * @throws StartRefused when another service uses the directory, or it belongs to another database
 */
export function acquireArchiveDirectory(
  dir: DataDir,
  instance: InstanceStore,
  store: KnownFiles,
  log: Log,
): Disposable {
  using stack = new DisposableStack()
  const lock = lockFile(dir.archiveLock)
  if (lock === null) {
    throw new StartRefused(
      `Another Holdall uses the archive directory ${dir.archives}. Stop it, or choose another with --archives.`,
    )
  }
  stack.use(lock)
  const files = listJobFiles(dir)
  const unknown = files.filter(({ jobId }) => !store.needsFiles(jobId) && !store.isPending(jobId))
  const owner = readArchiveOwner(dir)
  const instanceId = instance.id()
  if (owner === null ? files.length > 0 : owner !== instanceId) {
    throw new StartRefused(
      `The archive directory ${dir.archives} belongs to another database and not to ${dir.database}. Restore its own database, start with the data directory that it belongs to (--data), or choose another archive directory with --archives.`,
    )
  }
  if (owner === null) writeArchiveOwner(dir, instanceId)
  // Of a restore that was killed, and then run again with another archive directory.
  removeAbandoned(dir.unfinishedArchives, isJobFile)
  for (const file of unknown) setAside(dir, file)
  if (unknown.length > 0) {
    log.warn('files of jobs that the database has never known were set aside', {
      files: unknown.length,
      directory: dir.setAside,
    })
  }
  warnOfMissing(files, store, log, dataPaths(dir.root, instance.archivesDir()).archives)
  instance.setArchivesDir(recordedArchives(dir))
  return stack.move()
}

/** What the database knows of the files of jobs. */
export interface KnownFiles {
  /** Whether the job still needs its files. */
  needsFiles(jobId: string): boolean
  /** Whether the files of the job are about to be deleted. */
  isPending(jobId: string): boolean
  /** The jobs whose finished archives are in the archive directory. */
  archived(): readonly string[]
}

/** Archives are missing for example when their disk is not mounted. Once it is mounted, they can be downloaded again. */
function warnOfMissing(files: readonly JobFile[], store: KnownFiles, log: Log, lastDirectory: string): void {
  const present = new Set(files.map(({ name }) => name))
  const missing = store.archived().filter((jobId) => !present.has(`${jobId}.zip`))
  if (missing.length === 0) return
  log.warn('archives that the database knows of are not in the archive directory', {
    archives: missing.length,
    last_directory: lastDirectory,
  })
}
