import { closeSync, constants, openSync } from 'node:fs'

/** Makes a named pipe next to the archive. A thread that opens it for reading is stuck until `releasePipe`. */
export function makePipe(archivePath: string): string {
  const path = `${archivePath}-pipe`
  Bun.spawnSync(['mkfifo', path])
  return path
}

/**
 * Lets the stuck thread continue. The pipe stays open until the result is disposed of: a signal may interrupt the thread's
 * `open`, which then starts again and would wait for another writer.
 */
export function releasePipe(archivePath: string): Disposable {
  // Opening a pipe for both reading and writing does not wait for another process.
  const fd = openSync(`${archivePath}-pipe`, constants.O_RDWR | constants.O_NONBLOCK)
  return { [Symbol.dispose]: () => closeSync(fd) }
}
