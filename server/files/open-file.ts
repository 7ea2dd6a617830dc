import { openSync } from 'node:fs'
import { isOutOfDescriptors, MAX_SHORTAGE_MS, SHORTAGE_RETRY_MS } from './descriptors.ts'

/** Opens a file. A worker thread waits for a free descriptor. */
export function openFile(path: string, flags: string | number, mode?: number): number {
  return whenDescriptorIsFreeSync(() => openSync(path, flags, mode))
}

/** Does work that opens a file, and waits while the process has no free descriptor. */
export async function whenDescriptorIsFree<T>(work: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += SHORTAGE_RETRY_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isOutOfDescriptors(error) || waitedMs >= MAX_SHORTAGE_MS) throw error
      await Bun.sleep(SHORTAGE_RETRY_MS)
    }
  }
}

/**
 * Does work that opens a file. A worker thread waits while the process has no free descriptor, so that this temporary
 * shortage does not fail the job. The main thread never waits, since it closes idle clients to free descriptors.
 */
export function whenDescriptorIsFreeSync<T>(work: () => T): T {
  for (let waitedMs = 0; ; waitedMs += SHORTAGE_RETRY_MS) {
    try {
      return work()
    } catch (error) {
      if (!isOutOfDescriptors(error) || Bun.isMainThread || waitedMs >= MAX_SHORTAGE_MS) throw error
      Bun.sleepSync(SHORTAGE_RETRY_MS)
    }
  }
}
