import { closeSync, openSync } from 'node:fs'

/** What holds secrets is its owner's alone. */
export const PRIVATE_FILE = 0o600

/** Makes sure that a file is there, private before anything is written to it; what it holds stays. */
export function createPrivately(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE))
}
