import { closeSync, readdirSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { descriptorLimit, isOutOfDescriptors } from './descriptors.ts'
import { fileIdentity } from './identity.ts'

/**
 * Closes the descriptors of this process whose path has this prefix. Bun leaves the descriptors of a terminated thread open,
 * and a deleted file would use disk space until the process ends. Does nothing on systems that don't list open files as
 * Linux does.
 */
export function closeLeftOpen(pathPrefix: string): void {
  const directory = fileIdentity(dirname(pathPrefix))
  const isLeft = (path: string) =>
    basename(path).startsWith(basename(pathPrefix)) && fileIdentity(dirname(path)) === directory
  for (const descriptor of listOpen()) {
    const path = targetOf(descriptor)
    if (path !== null && isLeft(path)) closeSync(Number(descriptor))
  }
}

function listOpen(): string[] {
  try {
    return readdirSync(OPEN_FILES)
  } catch (error) {
    // A list takes a descriptor. When none is free, all of them are open.
    return isOutOfDescriptors(error) ? Array.from({ length: descriptorLimit ?? 0 }, (_, fd) => `${fd}`) : []
  }
}

/** Null for the descriptor that was used to list the directory, which is closed again. */
function targetOf(descriptor: string): string | null {
  try {
    return readlinkSync(join(OPEN_FILES, descriptor))
  } catch {
    return null
  }
}

const OPEN_FILES = '/proc/self/fd'
