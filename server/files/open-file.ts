import { openSync } from 'node:fs'

/** Idle clients that hold all descriptors are closed within a second (`http/descriptors.ts`). */
const MAX_WAIT_MS = 20_000
const WAIT_MS = 50

/**
 * Opens a file. A worker thread waits while the process has no free descriptor, so that this temporary shortage does not fail
 * the job. The main thread never waits, since it closes idle clients to free descriptors.
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
