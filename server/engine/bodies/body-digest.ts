// server/decisions/verifying.md says when bodies are hashed, and where.

/**
 * The SHA-256 of a body, hashed as its bytes arrive, as far as they arrive in order. The rest is read back once when the body is whole: of
 * a body that came over several connections, all after its first segment; of one whose beginning an earlier run received, all of it.
 */
export class BodyDigest {
  #hasher = new Bun.CryptoHasher('sha256')
  #hashedBytes = 0

  /** How many bytes of the body, from its start, are hashed. */
  get hashedBytes(): number {
    return this.#hashedBytes
  }

  /** Bytes have arrived at this place of the body. */
  arrived(piece: Uint8Array, at: number): void {
    if (at !== this.#hashedBytes) return
    this.#hasher.update(piece)
    this.#hashedBytes += piece.length
  }

  /** The bytes from this place on will arrive again, perhaps others. */
  forget(at: number): void {
    if (at >= this.#hashedBytes) return
    this.#hasher = new Bun.CryptoHasher('sha256')
    this.#hashedBytes = 0
  }

  /** In lower-case hexadecimal digits. Ends the hashing. */
  hex(): string {
    return this.#hasher.digest('hex')
  }
}
