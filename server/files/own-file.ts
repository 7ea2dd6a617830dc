import { lstatSync, readFileSync, statSync } from 'node:fs'
import { StartRefused } from '../errors.ts'

/**
 * Reads a small file that this program has written. Of anything else in its place, reading would block (a pipe), fill the memory (a
 * device), or fail with an error that does not say where (a directory).
 * @returns null when there is none
 * @throws StartRefused when it is not such a file; the error of the system when it can't be read
 */
export function readOwnFile(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
  // Undefined for a link that leads nowhere, perhaps to a disk that is not mounted.
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > MAX_BYTES)
    throw new StartRefused(
      `${path} is not a file that Holdall has written. Move it away, or restore it from a backup.`,
    )
  return readFileSync(path, 'utf8')
}

/** A secret has a hundred bytes, and each rotation adds one. */
const MAX_BYTES = 1024 * 1024
