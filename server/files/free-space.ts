import { statfsSync } from 'node:fs'

/** Free bytes on the disk of a directory, for the user that runs the service. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** Size of the disk of a directory, in bytes. */
export function totalBytes(directory: string): number {
  const { blocks, bsize } = statfsSync(directory)
  return blocks * bsize
}

/**
 * Bytes that must stay free on the disk of the archives. When it fills up, checkpoints are deleted first, then new jobs are
 * refused, and only then running jobs fail.
 */
export const KEPT_FREE_BYTES = {
  /** With less, checkpoints of failed jobs are deleted: their bodies can be fetched again. */
  evicting: 256 * 1024 * 1024,
  /** With less, no new job is accepted: most of its bodies would be refused. */
  acceptingJobs: 96 * 1024 * 1024,
  /** On the disk of the database, which may be another one: the URLs of one job take up to 40 MB there, twice. */
  database: 80 * 1024 * 1024,
  /** With less, no body begins: the rest is for the database, the central directory and other programs. */
  fetching: 64 * 1024 * 1024,
} as const
