import { closeSync, fsyncSync, futimesSync, openSync, writeSync } from 'node:fs'
import { PRIVATE_FILE } from '../../files/private-file.ts'

/** A new private file that is written from its start to its end. Disposing of it closes it. */
export interface NewFile extends Disposable {
  /** Bytes written so far. */
  readonly sizeBytes: number
  write(bytes: Uint8Array): void
  /** Makes it durable. Sets its modification time, in milliseconds since the epoch, unless that is null. */
  finish(modifiedAtMs: number | null): void
}

/** @throws the error of the system when the file exists or can't be created */
export function createFile(path: string): NewFile {
  const fd = openSync(path, 'wx', PRIVATE_FILE)
  let sizeBytes = 0
  return {
    get sizeBytes() {
      return sizeBytes
    },
    write(bytes) {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
      sizeBytes += bytes.length
    },
    finish(modifiedAtMs) {
      if (modifiedAtMs !== null) futimesSync(fd, modifiedAtMs / 1000, modifiedAtMs / 1000)
      fsyncSync(fd)
    },
    [Symbol.dispose]: () => closeSync(fd),
  }
}
