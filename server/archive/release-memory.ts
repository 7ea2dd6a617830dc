/**
 * Frees the memory of bytes that are no longer needed, without waiting for the garbage collector, which underestimates the
 * bytes that a few small objects own. The array is empty afterwards. Does nothing for a view into a larger buffer.
 */
export function releaseMemory(bytes: Uint8Array): void {
  if (bytes.length < WORTH_RELEASING_BYTES) return
  const { buffer } = bytes
  if (bytes.length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/**
 * The engine keeps the bytes of smaller arrays inside their objects, where the collector counts them. To release one, Bun would
 * first have to make a buffer for it.
 */
const WORTH_RELEASING_BYTES = 1024
