import type { Helper, Helpers } from './helpers.ts'

/** The body as it lies in the archive file. */
export interface BodyInFile {
  /** Absolute path of the file. */
  readonly path: string
  /** Where the body begins in it. */
  readonly offset: number
  /** Writes what is buffered, so that another thread can read it. */
  flush(): void
}

/**
 * The SHA-256 of a large body, hashed by a helper thread that reads behind the writes, as far as the body has arrived without a gap: the
 * thread of the job is the one that limits how fast bodies arrive, and hashing would add half to the time that it works on each. What is
 * read has just been written, so it is in the page cache.
 */
export class DigestBehind {
  readonly #helpers: Pick<Helpers, 'idle' | 'mayBeIdle'>
  readonly #body: BodyInFile
  #helper: Helper | undefined
  #digestId = 0
  /** How many bytes of the body the helper has, or will. */
  #sentBytes = 0

  /** Null while no helper has time: then the thread of the job hashes what arrives. */
  static begin(helpers: Pick<Helpers, 'idle' | 'mayBeIdle'>, body: BodyInFile): DigestBehind | null {
    return helpers.mayBeIdle(MAX_WAITING_BYTES) ? new DigestBehind(helpers, body) : null
  }

  private constructor(helpers: Pick<Helpers, 'idle' | 'mayBeIdle'>, body: BodyInFile) {
    this.#helpers = helpers
    this.#body = body
  }

  /** The body has arrived without a gap up to `endByte`. */
  reached(endByte: number): void {
    if (endByte - this.#sentBytes < STEP_BYTES) return
    this.#helper ??= this.#begin()
    if (this.#helper !== undefined) void this.#send(endByte, 'goes on').catch(() => {})
  }

  /** The bytes from this place on will arrive again, perhaps others. */
  forget(at: number): void {
    if (at < this.#sentBytes) this.giveUp()
  }

  /** In lower-case hexadecimal digits. Null if no helper has it: then the body must be read by the caller. */
  async hex(sizeBytes: number): Promise<string | null> {
    this.#helper ??= this.#begin()
    if (this.#helper === undefined) return null
    // Not in one step, which nothing could end.
    while (this.#sentBytes + LONG_STEP_BYTES < sizeBytes)
      void this.#send(this.#sentBytes + LONG_STEP_BYTES, 'goes on').catch(() => {})
    return await this.#send(sizeBytes, 'is whole')
  }

  giveUp(): void {
    if (this.#helper !== undefined) void this.#send(this.#sentBytes, 'is given up').catch(() => {})
    this.#helper = undefined
    this.#sentBytes = 0
  }

  #begin(): Helper | undefined {
    const helper = this.#helpers.idle(MAX_WAITING_BYTES)
    this.#digestId = helper?.newDigest() ?? 0
    return helper
  }

  #send(endByte: number, end: 'goes on' | 'is whole' | 'is given up'): Promise<string | null> {
    if (this.#helper === undefined) return Promise.resolve(null)
    this.#body.flush()
    const { path, offset } = this.#body
    const sentBytes = this.#sentBytes
    this.#sentBytes = endByte
    return this.#helper.hash({
      digestId: this.#digestId,
      path,
      offset: offset + sentBytes,
      lengthBytes: endByte - sentBytes,
      end,
    })
  }
}

/** To hash this much takes 0.7 ms; to send the request and its answer takes 0.02 ms. */
const STEP_BYTES = 1024 * 1024

/** To hash this much takes 50 ms. */
const LONG_STEP_BYTES = 64 * 1024 * 1024

/** A helper that is so far behind gets no further body: 50 ms. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024
