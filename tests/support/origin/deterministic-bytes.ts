/**
 * Generates a body that depends only on its size and seed, from any position on. No body is in memory as a whole.
 *
 * Every block of 64 KiB is noise from the seed, and begins with the number of the block. So misplaced bytes are
 * detected, and the body cannot be compressed.
 */
export function* deterministicBytes(sizeBytes: number, seed = 1, fromByte = 0): Generator<Uint8Array> {
  const noise = noiseOf(seed)
  for (let at = fromByte; at < sizeBytes; ) {
    const number = Math.floor(at / BLOCK_BYTES)
    const block = noise.slice()
    new DataView(block.buffer).setBigUint64(0, BigInt(number), true)
    const startsAt = number * BLOCK_BYTES
    yield block.subarray(at - startsAt, Math.min(BLOCK_BYTES, sizeBytes - startsAt))
    at = startsAt + BLOCK_BYTES
  }
}

/** The same body in memory. Only for small bodies. */
export function expectedBytes(sizeBytes: number, seed = 1): Uint8Array {
  const whole = new Uint8Array(sizeBytes)
  let at = 0
  for (const part of deterministicBytes(sizeBytes, seed)) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The SHA-256 of the same body, in hex. */
export function expectedSha256(sizeBytes: number, seed = 1): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const part of deterministicBytes(sizeBytes, seed)) hash.update(part)
  return hash.digest('hex')
}

const BLOCK_BYTES = 64 * 1024
const noises = new Map<number, Uint8Array<ArrayBuffer>>()

/** Xorshift: a compressor finds no pattern in it, and it is the same on every machine. */
function noiseOf(seed: number): Uint8Array<ArrayBuffer> {
  const known = noises.get(seed)
  if (known !== undefined) return known
  const words = new Uint32Array(BLOCK_BYTES / 4)
  let state = (Math.imul(seed, 0x9e3779b1) | 1) >>> 0
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[index] = state
  }
  const noise = new Uint8Array(words.buffer)
  if (noises.size < MAX_NOISES) noises.set(seed, noise)
  return noise
}

/** Limits the cache to 4 MiB, since some tests use thousands of seeds. */
const MAX_NOISES = 64
