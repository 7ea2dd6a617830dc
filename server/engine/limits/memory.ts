import { fullGC } from 'bun:jsc'
import { collectGarbage } from '../../collect-garbage.ts'

/**
 * Bounds the memory that a job's bodies use: how much unfinished bodies may hold, and when garbage is collected. The
 * garbage collector counts JavaScript objects and underestimates the bytes that a few small objects own, so a fast source
 * would otherwise leave hundreds of megabytes of unused memory behind.
 */
export class MemoryBudget {
  readonly #jobsRunning: () => number
  #garbageBytes = 0
  #heldBytes = 0

  /** @param jobsRunning how many jobs share the memory of this process, this one included */
  constructor(jobsRunning: () => number) {
    this.#jobsRunning = jobsRunning
  }

  /**
   * Counts a piece of a body that was received into a buffer, as garbage. A piece that was written to the file is not counted:
   * its memory is freed at once.
   */
  pieceBuffered(bytes: number): void {
    this.#countGarbage(bytes)
  }

  /** Counts the copies of its URL that an attempt leaves behind as garbage. */
  urlUsed(characters: number): void {
    this.#countGarbage(URL_COPIES * characters)
  }

  /** Adds to the memory that unfinished bodies hold; negative when they release some. This memory is not garbage. */
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

  /**
   * Collects what fetching has left behind, before the end of the job needs memory itself. Jobs that began together also end
   * together.
   */
  collect(): void {
    if (this.#garbageBytes * this.#jobsRunning() < WORTH_COLLECTING_BYTES) return
    this.#garbageBytes = 0
    fullGC()
  }

  #shareBytes(): number {
    return UNFINISHED_BYTES / this.#jobsRunning()
  }

  #countGarbage(bytes: number): void {
    this.#garbageBytes += bytes
    const shareBytes = COLLECT_BYTES / this.#jobsRunning() - 2 * this.#heldBytes
    if (this.#garbageBytes < Math.max(shareBytes, MIN_COLLECT_BYTES)) return
    this.#garbageBytes = 0
    // The first also returns freed memory to the system, but discards compiled code.
    if (this.isScarce()) collectGarbage()
    else fullGC()
  }
}

/**
 * Memory for the unfinished bodies of all jobs. A body that does not fit continues in a spool file. So no body waits for
 * memory, and a slow source can't keep memory from others.
 */
const UNFINISHED_BYTES = 16 * 1024 * 1024

/**
 * About how often an attempt copies its URL: in the message to the thread, as text, parsed, with the address of its host, in
 * the request and in the response.
 */
const URL_COPIES = 8

/** Garbage of all jobs between two collections. A collection takes a few milliseconds: a few percent of the time in all. */
const COLLECT_BYTES = 32 * 1024 * 1024

/** Garbage of all jobs that is worth a collection at the end of a job. A short job, or a job alone, leaves less. */
const WORTH_COLLECTING_BYTES = 8 * 1024 * 1024

/** The least garbage between two collections, when unfinished bodies hold the rest. */
const MIN_COLLECT_BYTES = 4 * 1024 * 1024
