import { fullGC } from 'bun:jsc'

/**
 * Bounds the memory that a job's bodies use: how much unfinished bodies may hold, and when garbage is collected. The
 * garbage collector counts JavaScript objects and underestimates the bytes that a few small objects own, so a fast source
 * would otherwise leave hundreds of megabytes of unused memory behind.
 */
export class MemoryBudget {
  readonly #jobsRunning: () => number
  #writtenBytes = 0
  #bufferedBytes = 0
  #heldBytes = 0

  /** @param jobsRunning how many jobs share the memory of this process, this one included */
  constructor(jobsRunning: () => number) {
    this.#jobsRunning = jobsRunning
  }

  /**
   * Counts a piece of a body that was written to the file and is now garbage. Such garbage recurs in the same sizes, so
   * the allocator may keep its memory. `Bun.gc` would return it to the system, and discard compiled code.
   */
  pieceWritten(bytes: number): void {
    this.#writtenBytes += bytes + FETCH_OBJECTS_BYTES
    if (this.#writtenBytes < COLLECT_BYTES / this.#jobsRunning()) return
    this.#writtenBytes = 0
    fullGC()
  }

  /** Counts a piece of a body that was received into a buffer. */
  pieceBuffered(bytes: number): void {
    this.#countGarbage(bytes + FETCH_OBJECTS_BYTES)
  }

  /** Counts what an attempt leaves behind of its URL. */
  urlUsed(characters: number): void {
    this.#countGarbage(URL_COPIES * characters)
  }

  /** Unfinished bodies hold this much more memory, or less if negative. What they hold is not garbage. */
  changeHeld(changeBytes: number): void {
    this.#heldBytes += changeBytes
  }

  /** Whether unfinished bodies may hold this much more of the job's share of memory. */
  hasRoomFor(bytes: number): boolean {
    return this.#heldBytes + bytes <= this.#shareBytes()
  }

  /** Whether bodies that wait for their next attempt must leave memory to those that arrive. */
  isScarce(): boolean {
    return this.#heldBytes > this.#shareBytes() / 2
  }

  #shareBytes(): number {
    return UNFINISHED_BYTES / this.#jobsRunning()
  }

  #countGarbage(bytes: number): void {
    this.#bufferedBytes += bytes
    const shareBytes = COLLECT_BYTES / this.#jobsRunning() - 2 * this.#heldBytes
    if (this.#bufferedBytes < Math.max(shareBytes, MIN_COLLECT_BYTES)) return
    this.#bufferedBytes = 0
    Bun.gc(true)
  }
}

/**
 * Memory for the unfinished bodies of all jobs. A body that finds no room continues in a spool file: nobody waits for
 * memory, and a slow source can't keep it from others.
 */
const UNFINISHED_BYTES = 16 * 1024 * 1024

/** Approximate memory of the objects per piece of a fetch: tens of thousands of tiny bodies leave garbage too. */
const FETCH_OBJECTS_BYTES = 8 * 1024

/** A URL is a message, a text, parsed, with an address in place of its name, sent, and told by the response. */
const URL_COPIES = 8

/** Garbage of all jobs between two collections. A collection takes a few milliseconds, here a few percent of the time. */
const COLLECT_BYTES = 32 * 1024 * 1024

/** The least garbage between two collections, when unfinished bodies hold the rest. */
const MIN_COLLECT_BYTES = 6 * 1024 * 1024
