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
 * Takes the archive directory for the database `instanceId`, until disposed of. Another service's directory is refused,
 * and so is one that is in use. A directory that nobody has claimed yet is taken when it holds no archive, or at least
 * one that the database knows: it then comes from a version that left no mark. What the database has never known is set
 * aside, and what is to go stays for whoever deletes it.
 * @throws StartRefused
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
  const isStrange =
    owner === null ? files.length > 0 && unknown.length === files.length : owner !== instanceId
  if (isStrange) {
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

/** As when a disk was not mounted: its archives can be downloaded again as soon as it is. */
function warnOfMissing(files: readonly ArchiveFileName[], store: FileDeletionStore, log: Log): void {
  const there = new Set(files.map(({ name }) => name))
  const missing = store.archived().filter((jobId) => !there.has(`${jobId}.zip`))
  if (missing.length === 0) return
  log.warn('archives that the database knows of are not in the archive directory', {
    archives: missing.length,
  })
}
