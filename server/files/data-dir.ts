import { accessSync, constants, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartRefused } from '../errors.ts'
import { refusalOf } from './refusal.ts'

/** Every path that Holdall keeps anything at. The directory that it is started in is never one of them. */
export interface DataDir {
  readonly root: string
  readonly database: string
  /** Held locked by the service that runs on this directory. */
  readonly serviceLock: string
  readonly signingSecrets: string
  /** Of the running service, a line each: the origin in its links, and the one that this machine reaches it at. */
  readonly serviceOrigin: string
  readonly archives: string
  /** Says which database the archive directory belongs to. */
  readonly archiveOwner: string
  /** Held locked by the service that uses the archive directory. */
  readonly archiveLock: string
  /** Files of jobs that the database has never known. */
  readonly setAside: string
  /** The finished archive of a job; while the job runs its bytes are in the same path + `.part`. */
  archive(jobId: string): string
}

/** What a data directory holds is secret: its owner alone may look into it. */
export const PRIVATE_DIRECTORY = 0o700

/**
 * Creates the directories on first use and says where everything lies in them.
 * @throws StartRefused when one of them cannot be made or written
 */
export function openDataDir(root: string, archives: string | null = null): DataDir {
  const dir = dataPaths(root, archives)
  makeWritable(dir.root, 'The data directory', '--data')
  makeWritable(dir.archives, 'The archive directory', '--archives')
  return dir
}

/** Where everything lies, whether it is there or not. */
export function dataPaths(root: string, archives: string | null = null): DataDir {
  const archivesDir = archives === null ? join(resolve(root), 'archives') : resolve(archives)
  const inside = (name: string) => join(resolve(root), name)
  return {
    root: resolve(root),
    database: inside('holdall.db'),
    serviceLock: inside('service.lock'),
    signingSecrets: inside('signing-secrets.json'),
    serviceOrigin: inside('service-origin'),
    archives: archivesDir,
    archiveOwner: join(archivesDir, 'holdall-owner'),
    archiveLock: join(archivesDir, 'holdall-lock'),
    setAside: join(archivesDir, 'set-aside'),
    archive: (jobId) => join(archivesDir, `${jobId}.zip`),
  }
}

function makeWritable(path: string, what: string, flag: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartRefused(`${what} ${path} ${refusalOf(error)}. Mend that, or choose another with ${flag}.`)
  }
}
