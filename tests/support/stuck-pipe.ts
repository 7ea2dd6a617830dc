import { closeSync, constants, openSync } from 'node:fs'

/** A pipe beside the archive that nobody writes to: whoever opens it for reading is stuck until `unstick`. */
export function pipeOf(archivePath: string): string {
  const path = `${archivePath}-pipe`
  Bun.spawnSync(['mkfifo', path])
  return path
}

/** Lets the thread go on that is stuck at the pipe beside the archive. */
export function unstick(archivePath: string): void {
  // For both reading and writing: that waits for nobody.
  closeSync(openSync(`${archivePath}-pipe`, constants.O_RDWR | constants.O_NONBLOCK))
}
