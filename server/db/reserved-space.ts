import { closeSync, rmSync, statSync, writeSync } from 'node:fs'
import { openFile } from '../files/open-file.ts'
import { createPrivately } from '../files/private-file.ts'
import { systemFault } from '../files/system-error.ts'

/**
 * A file beside the database that keeps space for deletions. SQLite needs some space to delete rows, too: without this file, a
 * full disk would refuse the very requests that free it.
 */
export interface ReservedSpace {
  /** Gives the space back to the disk. False when there was none. */
  release(): boolean
  /** Takes the space again, if it is missing and the disk has it. Does nothing if the disk refuses: the next call tries again. */
  refill(): void
}

/** The deletion of 5,000 URLs of the greatest length writes 1.6 MB to the journal of SQLite. */
const RESERVED_BYTES = 4 * 1024 * 1024
/** Random, so that no file system stores it in less space. */
const PIECE_BYTES = 1024 * 1024

export function reservedSpaceOf(databasePath: string): ReservedSpace {
  const path = reservedSpacePath(databasePath)
  const sizeBytes = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0

  function release(): boolean {
    const hadSpace = sizeBytes() > 0
    rmSync(path, { force: true })
    return hadSpace
  }

  return {
    release,
    refill() {
      if (sizeBytes() === RESERVED_BYTES) return
      const piece = process.getBuiltinModule('node:crypto').randomBytes(PIECE_BYTES)
      try {
        createPrivately(path)
        const fd = openFile(path, 'r+')
        try {
          for (let at = 0; at < RESERVED_BYTES; at += PIECE_BYTES) writeSync(fd, piece, 0, PIECE_BYTES, at)
        } finally {
          closeSync(fd)
        }
      } catch (error) {
        release()
        if (systemFault(error) === null) throw error
      }
    },
  }
}

/** The file in which the space is reserved. */
export function reservedSpacePath(databasePath: string): string {
  return `${databasePath}-reserve`
}
