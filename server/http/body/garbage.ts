/**
 * Runs Bun's garbage collector after a number of allocated bytes. Long requests and responses leave large texts in few
 * objects, and the collector counts objects: by itself, it would run only after hundreds of megabytes of garbage.
 */
export interface GarbageCollector {
  /** Counts bytes of text that were allocated and will soon be garbage; collects at once after every 4 MiB. */
  allocated(bytes: number): void
  /** Collects in the next turn of the event loop, when the caller has dropped its references, if 2 MiB were allocated. */
  collectSoon(): void
}

/** A collection takes about 10 ms. */
const COLLECT_AFTER_BYTES = 4 * 1024 * 1024
const COLLECT_SOON_AFTER_BYTES = 2 * 1024 * 1024

export function openGarbageCollector(): GarbageCollector {
  let allocatedBytes = 0
  return {
    allocated(bytes) {
      allocatedBytes += bytes
      if (allocatedBytes < COLLECT_AFTER_BYTES) return
      allocatedBytes = 0
      Bun.gc(true)
    },
    collectSoon() {
      if (allocatedBytes < COLLECT_SOON_AFTER_BYTES) return
      allocatedBytes = 0
      setTimeout(Bun.gc, 0, true)
    },
  }
}
