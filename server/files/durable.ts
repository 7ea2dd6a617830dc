import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'

/** Gives a file its final name so that the name survives a loss of power. The file itself is durable already. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncDirectory(dirname(to))
}

/** Makes names that were created, changed or removed in a directory survive a loss of power. */
export function syncDirectory(path: string): void {
  // Windows can't open a directory for this, and NTFS journals names by itself.
  if (process.platform === 'win32') return
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
