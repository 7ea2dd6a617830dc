import { closeSync, existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Closes the descriptors of this process whose path has this prefix. Bun leaves the descriptors of a terminated thread open,
 * and a deleted file would use disk space until the process ends. Does nothing on systems that don't list open files as
 * Linux does.
 */
export function closeLeftOpen(pathPrefix: string): void {
  if (!existsSync(OPEN_FILES)) return
  const prefix = join(realpathSync(dirname(pathPrefix)), basename(pathPrefix))
  for (const descriptor of readdirSync(OPEN_FILES)) {
    if (targetOf(descriptor)?.startsWith(prefix)) closeSync(Number(descriptor))
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
