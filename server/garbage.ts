/*
 * All that the program knows of the garbage collector. The collector counts JavaScript objects and underestimates the bytes that a few
 * small objects own: by itself, it would run only after hundreds of megabytes of garbage. So what leaves much behind is counted, or
 * collected when it is done. What frees bytes without it is in `bytes.ts`, which a browser runs, too.
 */

import { edenGC, fullGC } from 'bun:jsc'

/** Counts what the buffered bodies of one job leave behind, and collects it from time to time. Runs in the thread of the job. */
export class Garbage {
  readonly #jobsRunning: () => number
  readonly #heldBytes: () => number
  #garbageBytes = 0

  /**
   * @param jobsRunning how many jobs share the memory of this process, this one included
   * @param heldBytes memory that the unfinished bodies of the job hold. It is not garbage: the more they hold, the less garbage may wait
   */
  constructor(jobsRunning: () => number, heldBytes: () => number) {
    this.#jobsRunning = jobsRunning
    this.#heldBytes = heldBytes
  }

  /**
   * Counts a piece of a body that was received into a buffer. A piece that was written to the file is not counted: its memory is
   * freed at once.
   */
  counted(bytes: number): void {
    this.#garbageBytes += bytes
    const heldBytes = this.#heldBytes()
    const shareBytes = COLLECT_BYTES / this.#jobsRunning() - 2 * heldBytes
    if (this.#garbageBytes < Math.max(shareBytes, MIN_COLLECT_BYTES)) return
    this.#garbageBytes = 0
    // The first also returns freed memory to the system, but discards compiled code.
    if (heldBytes > MUCH_HELD_BYTES / this.#jobsRunning()) Bun.gc(true)
    else fullGC()
  }
}

/** About what an attempt leaves behind of its texts: in the message to the thread, parsed, in the request and in records. */
export function sourceGarbageBytes({ url, filename }: SourceTexts): number {
  return TEXT_COPIES * (url.length + (filename?.length ?? 0))
}

interface SourceTexts {
  readonly url: string
  readonly filename: string | null
}

/** About what a connection to another host leaves behind: 100,000 hosts took 330 MB without this count. */
export const HOST_GARBAGE_BYTES = 20 * 1024

/** Collects in the main thread, in a later turn of its event loop, when enough URLs have been read for the threads of jobs. */
export class ReadGarbage {
  #characters = 0

  urlsRead(characters: number): void {
    this.#characters += characters
    if (this.#characters < READ_CHARACTERS) return
    this.#characters = 0
    setTimeout(Bun.gc, 0, true)
  }
}

/**
 * Counts what long requests and responses leave behind in the main thread: large texts in few objects. Without it, twelve jobs of 40 MB, or
 * forty responses of as much, would take 300 to 370 MB in place of 200 to 290.
 */
export class TextGarbage {
  #allocatedBytes = 0

  /** Bytes of text were allocated and will soon be garbage. */
  allocated(bytes: number): void {
    this.#allocatedBytes += bytes
    if (this.#allocatedBytes < ALLOCATED_BYTES) return
    this.#allocatedBytes = 0
    Bun.gc(true)
  }
}

/**
 * Frees what the start of the service, or requests, have left behind in the main thread, before a job with a long list fills the memory:
 * 7 MB after a start, in 5 ms. What has survived a collection is left alone.
 */
export function collectBeforeList(sourceCount: number): void {
  if (sourceCount >= LONG_LIST_LENGTH) setTimeout(edenGC, 0)
}

/**
 * Frees what a job with a long list has left behind in this thread, in the next turn of its event loop. The thread may wait for
 * hours for its next job. Without any collection of the engine's own, three rounds of four jobs of 1,200 URLs of 7.5 KB take 185 MB
 * instead of 150; with this one alone, 155.
 */
export function collectAfterList(sourceCount: number): void {
  if (sourceCount >= LONG_LIST_LENGTH) setTimeout(Bun.gc, 0, true)
}

/** Collects in the middle of work that does not end its turn of the event loop, and leaves much behind. */
export function collectWithin(): void {
  fullGC()
}

/** A page of 10 MB and its links are some 60 MB. */
export function collectAfterInspection(): void {
  setTimeout(Bun.gc, 0, true)
}

/**
 * Twelve jobs of 5,000 URLs of 8 KB at once took 380 MB without this count, 282 to 297 MB with a third of it, and 281 to 288 MB with it.
 */
const TEXT_COPIES = 72

/** Characters of URLs between two collections in the main thread. Each is there three times: as a row, as JSON and as a message. */
const READ_CHARACTERS = 2 * 1024 * 1024

/** Bytes of requests and responses between two collections in the main thread. A collection takes about 10 ms. */
const ALLOCATED_BYTES = 4 * 1024 * 1024

/** Garbage of all jobs between two collections. A collection takes a few milliseconds: a few percent of the time in all. */
const COLLECT_BYTES = 32 * 1024 * 1024

/** The least garbage between two collections, when unfinished bodies hold the rest. */
const MIN_COLLECT_BYTES = 4 * 1024 * 1024

/** Memory that the unfinished bodies of all jobs hold from which on freed memory is needed at once. */
const MUCH_HELD_BYTES = 8 * 1024 * 1024

/** A collection takes about 10 ms, which short jobs should not cost. */
const LONG_LIST_LENGTH = 1000
