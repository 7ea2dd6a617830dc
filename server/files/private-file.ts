import { closeSync, openSync } from 'node:fs'
import { systemCode } from './system-error.ts'

/** Mode of files with secrets: only their owner may read and write them. */
export const PRIVATE_FILE = 0o600

/**
 * Creates a private, empty file if it doesn't exist. An existing file is not opened, because closing it would release the
 * locks that this process holds on it (fcntl(2)).
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE))
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
