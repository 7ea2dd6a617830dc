// server/decisions/memory.md says why bodies share this memory.

/** Bounds the memory that the unfinished bodies of a job hold. */
export class MemoryBudget {
  readonly #jobsRunning: () => number
  #heldBytes = 0

  /** @param jobsRunning how many jobs share the memory of this process, this one included */
  constructor(jobsRunning: () => number) {
    this.#jobsRunning = jobsRunning
  }

  /** Memory that unfinished bodies hold. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Adds to the memory that unfinished bodies hold; negative when they release some. */
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
}

/**
 * Memory for the unfinished bodies of all jobs. A body that does not fit continues in a spool file. So no body waits for
 * memory, and a slow source can't keep memory from others.
 */
const UNFINISHED_BYTES = 16 * 1024 * 1024
