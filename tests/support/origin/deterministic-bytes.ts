/**
 * A body of any size that is the same for the same seed and can be begun anywhere, so that a range of it needs
 * nothing before it and no body is ever held whole.
 *
 * Every block of 64 KiB is the seed's noise with the block's number at its head: what lies at a wrong place is
 * found out, and no compressor finds anything to save.
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

/** The same body whole, for small ones. */
export function expectedBytes(sizeBytes: number, seed = 1): Uint8Array {
  const whole = new Uint8Array(sizeBytes)
  let at = 0
  for (const part of deterministicBytes(sizeBytes, seed)) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** SHA-256 of the same body in hex, without holding it. */
export function expectedSha256(sizeBytes: number, seed = 1): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const part of deterministicBytes(sizeBytes, seed)) hash.update(part)
  return hash.digest('hex')
}

export function sha256(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
}

const BLOCK_BYTES = 64 * 1024
const noises = new Map<number, Uint8Array<ArrayBuffer>>()

/** Xorshift: good enough to look like noise to a compressor, and the same on every machine. */
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
  if (noises.size < MOST_NOISES) noises.set(seed, noise)
  return noise
}

/** 4 MiB of noise: a job of thousands of seeds must not fill the test's own memory. */
const MOST_NOISES = 64
