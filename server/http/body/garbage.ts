/**
 * Runs Bun's garbage collector after a number of allocated bytes: the only file of `http/` that knows it. Long requests and
 * responses leave large texts in few objects, and the collector counts objects. By itself, it would run only after hundreds of
 * megabytes of garbage: twelve jobs of 40 MB, or forty responses of as much, would take 300 to 370 MB in place of 200 to 290.
 */
export interface GarbageCollector {
  /** Counts bytes of text that were allocated and will soon be garbage; collects at once after every 4 MiB. */
  allocated(bytes: number): void
}

/** A collection takes about 10 ms. */
const COLLECT_AFTER_BYTES = 4 * 1024 * 1024

export function openGarbageCollector(): GarbageCollector {
  let allocatedBytes = 0
  return {
    allocated(bytes) {
      allocatedBytes += bytes
      if (allocatedBytes < COLLECT_AFTER_BYTES) return
      allocatedBytes = 0
      Bun.gc(true)
    },
  }
}
