import { closeSync, openSync } from 'node:fs'
import { systemCode } from './system-error.ts'

/** What holds secrets is its owner's alone. */
export const PRIVATE_FILE = 0o600

/**
 * Makes sure that a file is there, private before anything is written to it; what it holds stays. A file that is there
 * is not opened: to close it again would free the locks that this process holds on it (fcntl(2)).
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE))
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
