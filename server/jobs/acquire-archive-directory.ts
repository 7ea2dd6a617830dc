import { lockFile } from '../db/file-lock.ts'
import { StartRefused } from '../errors.ts'
import {
  type ArchiveFileName,
  archiveFiles,
  archiveOwner,
  claimArchives,
  setAside,
} from '../files/archive-dir.ts'
import type { DataDir } from '../files/data-dir.ts'
import type { Log } from '../logging/log.ts'
import type { FileDeletionStore } from './file-deletion-store.ts'

/**
 * Locks the archive directory for the database `instanceId`, until disposed of. Files of jobs that the database has never
 * known are set aside; files that wait for their deletion stay. A directory without the mark of an owner is accepted
 * when it is empty or holds an archive that the database knows, since earlier versions left no mark.
 * @throws StartRefused when another service uses the directory, or it belongs to another database
 */
export function acquireArchiveDirectory(
  dir: DataDir,
  instanceId: string,
  store: FileDeletionStore,
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
  const files = archiveFiles(dir)
  const unknown = files.filter(({ jobId }) => !store.needsFiles(jobId) && !store.isPending(jobId))
  const owner = archiveOwner(dir)
  const isOfOther =
    owner === null ? files.length > 0 && unknown.length === files.length : owner !== instanceId
  if (isOfOther) {
    throw new StartRefused(
      `The archive directory ${dir.archives} belongs to another database than ${dir.database}. Put its own database back, start with the data directory that it belongs to (--data), or choose another one with --archives.`,
    )
  }
  if (owner === null) claimArchives(dir, instanceId)
  for (const file of unknown) setAside(dir, file)
  if (unknown.length > 0) {
    log.warn('files of jobs that the database has never known were set aside', {
      files: unknown.length,
      directory: dir.setAside,
    })
  }
  warnOfMissing(files, store, log)
  return stack.move()
}

/** For example when a disk is not mounted. Its archives can be downloaded again as soon as it is. */
function warnOfMissing(files: readonly ArchiveFileName[], store: FileDeletionStore, log: Log): void {
  const there = new Set(files.map(({ name }) => name))
  const missing = store.archived().filter((jobId) => !there.has(`${jobId}.zip`))
  if (missing.length === 0) return
  log.warn('archives that the database knows of are not in the archive directory', {
    archives: missing.length,
  })
}
