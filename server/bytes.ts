/*
 * What every thread does with bytes in memory, a browser that checks an archive among them: this file uses nothing of Bun.
 */

/**
 * Frees the memory of bytes that are no longer needed, without waiting for the garbage collector, which underestimates the
 * bytes that a few small objects own (`garbage.ts`). The array is empty afterwards. Does nothing for a view into a larger buffer.
 */
export function releaseMemory(bytes: Uint8Array): void {
  if (bytes.length < WORTH_RELEASING_BYTES) return
  const { buffer } = bytes
  if (bytes.length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** One array that is its whole buffer, so that it can be released. Not `Buffer.concat`: a browser has none. */
export function concatenated(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Bytes from `start` to `end`, without `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The engine keeps the bytes of smaller arrays inside their objects, where the collector counts them. To release one, Bun would
 * first have to make a buffer for it.
 */
const WORTH_RELEASING_BYTES = 1024
