/**
 * Lets the memory of bodies go in time. The collector counts JavaScript objects and is slow to notice the bytes
 * that hang on a few small ones: a fast source would fill hundreds of megabytes with what nobody holds any more.
 */
export class BodyMemory {
  #sinceCollectionBytes = 0

  received(bytes: number): void {
    this.#sinceCollectionBytes += bytes + FETCH_OBJECTS_BYTES
    if (this.#sinceCollectionBytes < COLLECT_BYTES) return
    this.#sinceCollectionBytes = 0
    Bun.gc(true)
  }
}

/** What the objects of one piece of one fetch come to, roughly: tens of thousands of tiny bodies are garbage too. */
const FETCH_OBJECTS_BYTES = 8 * 1024

/** A collection takes some milliseconds; at this distance they are a few in a hundred. */
const COLLECT_BYTES = 48 * 1024 * 1024
