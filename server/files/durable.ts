import { closeSync, fsyncSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openFile } from './open-file.ts'
import { PRIVATE_FILE } from './private-file.ts'

/**
 * Writes a small private file so that a crash, a loss of power or a full disk leaves what was there before or the whole
 * new text, never a part of it.
 */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.new`
  rmSync(temporary, { force: true })
  try {
    // Exclusively: the directory may be one where somebody else lays links.
    writeFileSync(temporary, text, { mode: PRIVATE_FILE, flag: 'wx', flush: true })
    renameDurably(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Gives a file its final name so that the name survives a loss of power. The file itself is durable already. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncDirectory(dirname(to))
}

/** Makes names that were created, changed or removed in a directory survive a loss of power. */
export function syncDirectory(path: string): void {
  // Windows can't open a directory for this, and NTFS journals names by itself.
  if (process.platform === 'win32') return
  const fd = openFile(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
