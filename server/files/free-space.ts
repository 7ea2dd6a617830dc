import { statfsSync } from 'node:fs'

/** Bytes that the disk of a directory still has for whoever runs the service. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
