import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartRefused } from '../errors.ts'
import { refusalOf } from '../files/refusal.ts'

/** Every path that Holdall writes to. Never includes the working directory. */
export interface DataDir {
  readonly root: string
  readonly database: string
  /** Locked by the service that runs on this directory. */
  readonly serviceLock: string
  readonly signingSecrets: string
  /** The key of what the database contains sealed. */
  readonly sealingKey: string
  /** What the owner has set while the service ran. */
  readonly settings: string
  /** Written by the running service: the code that confirms a change of settings. Only who can read this directory knows it. */
  readonly settingsCode: string
  /** Written by the running service, one per line: the origin in its links, its origin on this machine, its run id. */
  readonly serviceOrigin: string
  readonly archives: string
  /** Contains the id of the database that owns the archive directory. */
  readonly archiveOwner: string
  /** Locked by the service that uses the archive directory. */
  readonly archiveLock: string
  /** Files of jobs that the database has never known. */
  readonly setAside: string
  /** While they exist, a backup is being restored, or its restore was killed: no service starts. */
  readonly unfinishedRestore: string
  readonly unfinishedArchives: string
  /** The finished archive of a job; while the job runs its bytes are in the same path + `.part`. */
  archive(jobId: string): string
}

/** The data directory holds secrets: only its owner may read it. */
export const PRIVATE_DIRECTORY = 0o700

/**
 * Creates the directories on first use and returns all paths in them.
 * @throws StartRefused when a directory can't be created or written, or a restore to it is not complete
 */
export function openDataDir(root: string, archives: string | null): DataDir {
  const dir = dataPaths(root, archives)
  openDataRoot(root)
  makeWritable(dir.archives, 'The archive directory', '--archives')
  return dir
}

/**
 * Creates the data directory on first use, without an archive directory.
 * @throws StartRefused when it can't be created or written, or a restore to it is not complete
 */
export function openDataRoot(data: string): void {
  assertRestored(data)
  makeWritable(resolve(data), 'The data directory', '--data')
}

/** @throws StartRefused when a restore to the data directory is not complete */
export function assertRestored(data: string): void {
  const { root, unfinishedRestore } = dataPaths(data)
  if (existsSync(unfinishedRestore)) {
    throw new StartRefused(
      `A backup was not completely restored to ${root}. Run the same holdall restore again, or choose another directory with --data.`,
    )
  }
}

/** The archive directory as the database records it: null for the one in the data directory, which may be moved. */
export function recordedArchives({ root, archives }: DataDir): string | null {
  return archives === dataPaths(root).archives ? null : archives
}

/** All paths, whether they exist or not. */
export function dataPaths(root: string, archives: string | null = null): DataDir {
  const archivesDir = archives === null ? join(resolve(root), 'archives') : resolve(archives)
  const inside = (name: string) => join(resolve(root), name)
  return {
    root: resolve(root),
    database: inside('holdall.db'),
    serviceLock: inside('service.lock'),
    signingSecrets: inside('signing-secrets.json'),
    sealingKey: inside('sealing-key'),
    settings: inside('settings.json'),
    settingsCode: inside('settings-code'),
    serviceOrigin: inside('service-origin'),
    archives: archivesDir,
    archiveOwner: join(archivesDir, 'holdall-owner'),
    archiveLock: join(archivesDir, 'holdall-lock'),
    setAside: join(archivesDir, 'set-aside'),
    unfinishedRestore: inside('restoring'),
    unfinishedArchives: join(archivesDir, 'restoring'),
    archive: (jobId) => join(archivesDir, `${jobId}.zip`),
  }
}

function makeWritable(path: string, what: string, flag: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartRefused(`${what} ${path} ${refusalOf(error)}. Fix that, or choose another with ${flag}.`)
  }
}
