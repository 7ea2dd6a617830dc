import type { TextGarbage } from '../../garbage.ts'

/** The memory of long responses: parts that their clients have not read yet, and what earlier parts have left behind. */
export interface ResponseMemory {
  /**
   * How many bytes the next part of a response may have. A client that reads slowly costs two or three parts, so with many responses
   * the parts are small.
   */
  partBytes(): number
  /** How many parts of that length have the bytes of one of the greatest length. */
  partsPerTurn(): number
  /** A part was made for which so many bytes of text were allocated. */
  made(bytes: number): void
  /** A part was read from an archive. */
  read(bytes: number): void
}

/** @param openResponses how many requests have no whole response yet */
export function openResponseMemory(
  garbage: Pick<TextGarbage, 'allocated'>,
  openResponses: () => number,
): ResponseMemory {
  function partBytes(): number {
    const sharedBytes = Math.floor(MEMORY_BYTES / Math.max(openResponses(), 1))
    return Math.min(Math.max(sharedBytes, MIN_PART_BYTES), MAX_PART_BYTES)
  }
  return {
    partBytes,
    partsPerTurn: () => Math.floor(MAX_PART_BYTES / partBytes()),
    made: (bytes) => garbage.allocated(bytes),
    // A few downloads of gigabytes should not wait for the collector. Hundreds would leave more behind than it can wait for.
    read: (bytes) => garbage.allocated(openResponses() > FEW_RESPONSES ? bytes / 2 : bytes / 8),
  }
}

/** Responses that began before have larger parts: a thousand that nobody reads hold some 100 MB in all. */
const MEMORY_BYTES = 8 * 1024 * 1024
/** As many get parts of the greatest length. */
const FEW_RESPONSES = 32
/** Longer parts are not sent any faster. */
const MAX_PART_BYTES = 256 * 1024
/** As many as one address may have connections, 1,024, get that much. Each part costs a read, and a turn of the event loop. */
const MIN_PART_BYTES = 8 * 1024
