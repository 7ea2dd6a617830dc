import { statfsSync } from 'node:fs'
import { ServiceError } from '../errors.ts'
import type { DataDir } from './data-dir.ts'

/** Bytes that the disk of a directory still has for whoever runs the service. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/**
 * The room that each step leaves on the disk of the archives, in bytes. A fuller disk takes back what it can first,
 * then takes no new job, and only at last breaks off those that run.
 */
export const KEPT_FREE_BYTES = {
  /** Less, and checkpoints of failed jobs go: what they hold can be fetched again. */
  evicting: 256 * 1024 * 1024,
  /** No job is taken with less: most of its bodies would be refused. */
  takingJobs: 96 * 1024 * 1024,
  /** Of the disk of the database, which may be another one: the list of one job takes 40 MB there, and that twice. */
  database: 80 * 1024 * 1024,
  /** No body begins with less: the rest is for the database, the directory of the archive and whatever else lives here. */
  fetching: 64 * 1024 * 1024,
} as const

/**
 * Refuses a new job where a disk could not take it.
 * @throws ServiceError `UNAVAILABLE`
 */
export function assertRoom(dir: DataDir, free: (directory: string) => number): void {
  if (roomOf(dir.archives, free) < KEPT_FREE_BYTES.takingJobs) {
    throw new ServiceError(
      'UNAVAILABLE',
      'The disk of the service is nearly full. Delete jobs that are no longer needed, or try again later.',
    )
  }
  if (roomOf(dir.root, free) < KEPT_FREE_BYTES.database) {
    throw new ServiceError(
      'UNAVAILABLE',
      'The disk of the database is nearly full. Free some space on it, then try again.',
    )
  }
}

/** A directory that is gone has no room either, and that is nothing that the request could help. */
function roomOf(directory: string, free: (directory: string) => number): number {
  try {
    return free(directory)
  } catch (error) {
    const message =
      'A directory of the service is gone, or its disk does not answer. Put it back, or start again.'
    throw new ServiceError('UNAVAILABLE', message, [], { cause: error })
  }
}
