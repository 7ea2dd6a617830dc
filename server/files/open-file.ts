import { openSync } from 'node:fs'

/** Clients that have taken all descriptors lose them within a second (`http/descriptors.ts`). */
const MAX_WAIT_MS = 20_000
const WAIT_MS = 50

/**
 * Opens a file, and waits in a worker thread while the process has no descriptor left: that passes, and is no fault of
 * the job. The main thread is the one that makes room, so that it never waits.
 */
export function openFile(path: string, flags: string | number, mode?: number): number {
  for (let waitedMs = 0; ; waitedMs += WAIT_MS) {
    try {
      return openSync(path, flags, mode)
    } catch (error) {
      if (!isOutOfDescriptors(error) || Bun.isMainThread || waitedMs >= MAX_WAIT_MS) throw error
      Bun.sleepSync(WAIT_MS)
    }
  }
}

function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}
