import { closeSync, constants, openSync } from 'node:fs'

/** Makes a named pipe next to the archive. A thread that opens it for reading is stuck until `releasePipe`. */
export function makePipe(archivePath: string): string {
  const path = `${archivePath}-pipe`
  Bun.spawnSync(['mkfifo', path])
  return path
}

/** Lets the stuck thread continue. */
export function releasePipe(archivePath: string): void {
  // Opening a pipe for both reading and writing does not wait for another process.
  closeSync(openSync(`${archivePath}-pipe`, constants.O_RDWR | constants.O_NONBLOCK))
}
