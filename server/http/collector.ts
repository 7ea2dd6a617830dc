/**
 * Long requests and answers leave texts behind that hang on few objects, and Bun's collector counts the objects: it would
 * come when hundreds of megabytes are dead. So it is called by the bytes.
 */
export interface Collector {
  /** So many bytes of text were made, most of which are garbage soon. */
  made(bytes: number): void
  /** Collects in the next turn of the event loop when much has been made: whoever made it has let go of it by then. */
  soon(): void
}

/** A collection takes some 10 ms. */
const EACH_BYTES = 8 * 1024 * 1024
const MUCH_BYTES = 2 * 1024 * 1024

export function openCollector(): Collector {
  let madeBytes = 0
  return {
    made(bytes) {
      madeBytes += bytes
      if (madeBytes < EACH_BYTES) return
      madeBytes = 0
      Bun.gc(true)
    },
    soon() {
      if (madeBytes < MUCH_BYTES) return
      madeBytes = 0
      setTimeout(() => Bun.gc(true), 0)
    },
  }
}
