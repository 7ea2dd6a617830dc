import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from '../errors.ts'
import { systemCode } from '../files/system-error.ts'
import { PRIVATE_DIRECTORY } from './data-dir.ts'
import { lockTransientFile } from './file-lock.ts'

/**
 * A private directory for files that are not whole yet. Disposing of it deletes it. A kill leaves it, and then the next
 * opening deletes what is in it.
 */
export interface Staging extends Disposable {
  file(name: string): string
}

/**
 * Creates the directory, or empties the one that a killed command has left, and locks it.
 * @throws StartRefused when another command uses it, or when it contains files that no command has left there
 */
export function openStaging(path: string): Staging {
  createUnlessThere(path)
  const names = readdirSync(path)
  if (names.length > 0 && !names.includes(LOCK)) {
    throw new StartRefused(`${path} contains other files. Move that directory away, and try again.`)
  }
  const lock = lockTransientFile(join(path, LOCK))
  if (lock === null) throw new StartRefused(`Another command is writing to ${path}. Wait until it has ended.`)
  empty(path)
  return {
    file: (name) => join(path, name),
    [Symbol.dispose]() {
      empty(path)
      lock[Symbol.dispose]()
      rmdirSync(path)
    },
  }
}

/**
 * Deletes such a directory that a killed command has left, when no command uses it and it has files of these names alone. Does nothing
 * if there is none. A process may not call it for a directory that it uses itself.
 */
export function removeAbandoned(path: string, isOurs: (name: string) => boolean): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const names = readdirSync(path)
  if (!names.includes(LOCK) || !names.every((name) => name === LOCK || isOurs(name))) return
  const lock = lockTransientFile(join(path, LOCK))
  if (lock === null) return
  empty(path)
  lock[Symbol.dispose]()
  rmdirSync(path)
}

function createUnlessThere(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_DIRECTORY })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

function empty(path: string): void {
  for (const name of readdirSync(path)) {
    if (name !== LOCK) rmSync(join(path, name), { recursive: true, force: true })
  }
}

/** It is created first and deleted last, so that it marks the directory. */
const LOCK = 'holdall-lock'
