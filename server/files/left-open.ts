import { closeSync, existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Closes the descriptors of this process whose path begins so. Bun leaves those of a terminated thread open, and a
 * file that is deleted meanwhile would keep its room on the disk as long as the process lives. Only where the system
 * shows what is open, as Linux does; elsewhere they stay.
 */
export function closeLeftOpen(pathPrefix: string): void {
  if (!existsSync(OPEN_FILES)) return
  const prefix = join(realpathSync(dirname(pathPrefix)), basename(pathPrefix))
  for (const descriptor of readdirSync(OPEN_FILES)) {
    if (targetOf(descriptor)?.startsWith(prefix)) closeSync(Number(descriptor))
  }
}

/** Null for the descriptor that listed the directory: it is closed by now. */
function targetOf(descriptor: string): string | null {
  try {
    return readlinkSync(join(OPEN_FILES, descriptor))
  } catch {
    return null
  }
}

const OPEN_FILES = '/proc/self/fd'
