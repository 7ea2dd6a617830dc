import { fullGC } from 'bun:jsc'
import { collectGarbage } from '../collect-garbage.ts'

/**
 * All that the engine knows of the garbage collector. The collector counts JavaScript objects and underestimates the bytes that a
 * few small objects own: by itself, it would run only after hundreds of megabytes of garbage.
 *
 * Counts what the bodies and URLs of one job leave behind, and collects it from time to time. Used in the thread of the job.
 */
export class Garbage {
  readonly #jobsRunning: () => number
  #garbageBytes = 0
  #heldBytes = 0

  /** @param jobsRunning how many jobs share the memory of this process, this one included */
  constructor(jobsRunning: () => number) {
    this.#jobsRunning = jobsRunning
  }

  /**
   * Counts a piece of a body that was received into a buffer. One that is written to the file does not count: its memory is freed
   * at once.
   * @param heldBytes memory that the unfinished bodies of the job hold. It is not garbage, and leaves less memory for it
   */
  counted(bytes: number, heldBytes: number): void {
    this.#heldBytes = heldBytes
    this.#count(bytes)
  }

  /** Counts the copies of its URL that an attempt leaves behind. */
  urlUsed(characters: number): void {
    this.#count(URL_COPIES * characters)
  }

  /** Collects before the end of the job needs memory itself. Jobs that began together also end together. */
  collectBeforeEnd(): void {
    if (this.#garbageBytes * this.#jobsRunning() < WORTH_COLLECTING_BYTES) return
    this.#garbageBytes = 0
    fullGC()
  }

  #count(bytes: number): void {
    this.#garbageBytes += bytes
    const shareBytes = COLLECT_BYTES / this.#jobsRunning() - 2 * this.#heldBytes
    if (this.#garbageBytes < Math.max(shareBytes, MIN_COLLECT_BYTES)) return
    this.#garbageBytes = 0
    // The first also returns freed memory to the system, but discards compiled code.
    if (this.#heldBytes > MUCH_HELD_BYTES / this.#jobsRunning()) collectGarbage()
    else fullGC()
  }
}

/**
 * Frees what a job with a long list has left behind in this thread, in the next turn of its event loop. The thread may wait for
 * hours for its next job, and without a collection, the memory of one list after another adds up.
 */
export function collectAfterList(sourceCount: number): void {
  if (sourceCount >= LONG_LIST_LENGTH) setTimeout(collectGarbage, 0)
}

/**
 * Counts the URLs that were read for other threads, in the main thread. Collects in a later turn of the event loop when there are
 * enough of them.
 */
export class ReadGarbage {
  #characters = 0

  urlsRead(characters: number): void {
    this.#characters += characters
    if (this.#characters < READ_CHARACTERS) return
    this.#characters = 0
    setTimeout(collectGarbage, 0)
  }
}

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

/** Memory that the unfinished bodies of all jobs hold from which on freed memory is needed at once. */
const MUCH_HELD_BYTES = 8 * 1024 * 1024

/** A collection takes about 10 ms, which short jobs should not cost. */
const LONG_LIST_LENGTH = 1000

/** Characters of URLs between two collections in the main thread. */
const READ_CHARACTERS = 8 * 1024 * 1024
