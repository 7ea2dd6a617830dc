import { statfsSync } from 'node:fs'

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
  /** No body begins with less: the rest is for the database, the directory of the archive and whatever else lives here. */
  fetching: 64 * 1024 * 1024,
} as const
