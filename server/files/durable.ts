import { closeSync, fsyncSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openFile } from './open-file.ts'
import { PRIVATE_FILE } from './private-file.ts'

/**
 * Writes a small private file atomically: after a crash, a loss of power or a full disk the file has either its old content
 * or all of the new one.
 */
export function writeDurably(path: string, text: string): void {
  write(path, text, { durably: true })
}

/** The same without syncs: after a loss of power, the file may be empty. */
export function replaceFile(path: string, text: string): void {
  write(path, text, { durably: false })
}

/**
 * Deletes what a write to `path` has left that was killed: nothing else would, where the file is written only once. A young one may be
 * of a write in progress.
 */
export function removeLeftover(path: string, now: number): void {
  const temporary = `${path}.new`
  const found = lstatSync(temporary, { throwIfNoEntry: false })
  if (found?.isFile() && found.mtimeMs < now - LEFTOVER_MS) rmSync(temporary, { force: true })
}

/** Far longer than any of these small writes lasts. */
const LEFTOVER_MS = 60 * 60 * 1000

function write(path: string, text: string, { durably }: { readonly durably: boolean }): void {
  const temporary = `${path}.new`
  rmSync(temporary, { force: true })
  try {
    // Fails if the file exists: in a shared directory, someone else may have put a link there.
    writeFileSync(temporary, text, { mode: PRIVATE_FILE, flag: 'wx', flush: durably })
    if (durably) renameDurably(temporary, path)
    else renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Renames a file so that the new name survives a loss of power. Its content must already be durable. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncDirectory(dirname(to))
}

/** Makes names that were created, changed or removed in a directory survive a loss of power. */
export function syncDirectory(path: string): void {
  // Windows can't sync a directory, and NTFS journals file names itself.
  if (process.platform === 'win32') return
  const fd = openFile(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
