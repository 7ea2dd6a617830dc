import { fullGC } from 'bun:jsc'

/**
 * Lets the memory of bodies go in time. The collector counts JavaScript objects and is slow to notice the bytes
 * that hang on a few small ones: a fast source would fill hundreds of megabytes with what nobody holds any more.
 */
export class BodyMemory {
  readonly #jobsRunning: () => number
  #passedBytes = 0
  #sinceCollectionBytes = 0
  #heldBytes = 0

  /** @param jobsRunning how many jobs share the memory of this process, this one counted */
  constructor(jobsRunning: () => number) {
    this.#jobsRunning = jobsRunning
  }

  /**
   * A piece of a body has come and gone to the file. The garbage is the same each time, so the allocator may keep
   * the memory for it; `Bun.gc` would give it back, and throw away compiled code.
   */
  passed(bytes: number): void {
    this.#passedBytes += bytes + FETCH_OBJECTS_BYTES
    if (this.#passedBytes < COLLECT_BYTES / this.#jobsRunning()) return
    this.#passedBytes = 0
    fullGC()
  }

  /** A piece of a body has come, to be gathered with others. */
  received(bytes: number): void {
    this.#sinceCollectionBytes += bytes + FETCH_OBJECTS_BYTES
    const shareBytes = COLLECT_BYTES / this.#jobsRunning() - 2 * this.#heldBytes
    if (this.#sinceCollectionBytes < Math.max(shareBytes, MIN_COLLECT_BYTES)) return
    this.#sinceCollectionBytes = 0
    Bun.gc(true)
  }

  /** Bodies that are not whole yet hold so much more memory, or less. What they hold can't be garbage, too. */
  held(changeBytes: number): void {
    this.#heldBytes += changeBytes
  }

  /** Whether bodies that are not whole yet may hold so much more in this job's share of the service's memory. */
  hasRoomFor(bytes: number): boolean {
    return this.#heldBytes + bytes <= this.#shareBytes()
  }

  /** Whether bodies that only wait for their next attempt have to make room for those that are coming in. */
  isCrowded(): boolean {
    return this.#heldBytes > this.#shareBytes() / 2
  }

  #shareBytes(): number {
    return UNFINISHED_BYTES / this.#jobsRunning()
  }
}

/**
 * What bodies that are not whole yet hold in memory, of all jobs. One that finds no room goes on in a spool file: so
 * nobody waits for memory, and a slow source can't keep it from others.
 */
const UNFINISHED_BYTES = 32 * 1024 * 1024

/** What the objects of one piece of one fetch come to, roughly: tens of thousands of tiny bodies are garbage too. */
const FETCH_OBJECTS_BYTES = 8 * 1024

/** Garbage of all jobs. A collection takes some milliseconds; at this distance they are a few in a hundred. */
const COLLECT_BYTES = 48 * 1024 * 1024

/** The distance at the least, when what unfinished bodies hold takes the rest of the bound. */
const MIN_COLLECT_BYTES = 6 * 1024 * 1024
