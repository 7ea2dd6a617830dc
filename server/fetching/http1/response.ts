import type { ResponseHead, ResponseHeaders } from './head.ts'

/** What a response needs of its connection. */
export interface ResponseConnection {
  pause(): void
  resume(): void
  /** The rest of the body is not wanted. */
  cancel(): void
  readonly origin: OriginTrust
}

/** How far an origin can be trusted to keep its responses apart. */
export interface OriginTrust {
  /** Whether it has sent bytes that no request asked for, over any connection. Stays true. */
  readonly hadSurplus: boolean
}

/**
 * A response. Its body is read in pieces as they arrive; each piece is alone in its buffer. Disposing of it, or a `break` in the loop over
 * the body, closes the connection unless the body has arrived whole.
 *
 * Methods in the order in which they may be called: `next` until the end, one call at a time; `[Symbol.dispose]` at any time.
 * The connection calls `add` any number of times, then `end` once.
 */
export class Http1Response implements AsyncIterableIterator<Uint8Array<ArrayBuffer>, undefined>, Disposable {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly #connection: ResponseConnection
  readonly #isFirst: boolean
  readonly #pieces: Uint8Array<ArrayBuffer>[] = []
  #unreadBytes = 0
  #isPaused = false
  /** Null while the body arrives. */
  #end: BodyEnd | null = null
  #waiting: PromiseWithResolvers<IteratorResult<Uint8Array<ArrayBuffer>, undefined>> | null = null

  /** @param isFirst whether it is the first of its connection */
  constructor({ status, headers }: ResponseHead, connection: ResponseConnection, isFirst: boolean) {
    this.status = status
    this.headers = headers
    this.#connection = connection
    this.#isFirst = isFirst
  }

  /**
   * Whether this may be the response to another request. That can turn out some time after the end of the body: ask as late as
   * possible. A doubtful response must be requested again.
   */
  get isDoubtful(): boolean {
    return this.doubtfulWith?.hadSurplus ?? false
  }

  /** When this origin turns out not to be trusted, the response is doubtful; null if it never will be. */
  get doubtfulWith(): OriginTrust | null {
    return this.#isFirst ? null : this.#connection.origin
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** @throws Http1Failure when the body has ended early; or the reason of the signal */
  next(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, undefined>> {
    const value = this.#pieces.shift()
    if (value !== undefined) {
      this.#unreadBytes -= value.length
      if (this.#isPaused && this.#unreadBytes <= RESUME_BYTES) this.#resume()
      return Promise.resolve({ done: false, value })
    }
    if (this.#end !== null) {
      return this.#end.isWhole ? Promise.resolve(ENDED) : Promise.reject(this.#end.failure)
    }
    this.#waiting = Promise.withResolvers()
    return this.#waiting.promise
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this[Symbol.dispose]()
    return ENDED
  }

  [Symbol.dispose](): void {
    this.#pieces.length = 0
    if (this.#end === null) this.#connection.cancel()
  }

  add(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#waiting !== null) {
      this.#waiting.resolve({ done: false, value: piece })
      this.#waiting = null
      return
    }
    this.#pieces.push(piece)
    this.#unreadBytes += piece.length
    if (this.#isPaused || this.#unreadBytes <= PAUSE_BYTES) return
    this.#isPaused = true
    this.#connection.pause()
  }

  end(end: BodyEnd): void {
    this.#end = end
    // The connection may serve another request before the body is read.
    if (this.#isPaused) this.#resume()
    if (end.isWhole) this.#waiting?.resolve(ENDED)
    else this.#waiting?.reject(end.failure)
    this.#waiting = null
  }

  #resume(): void {
    this.#isPaused = false
    this.#connection.resume()
  }
}

export type BodyEnd = { readonly isWhole: true } | { readonly isWhole: false; readonly failure: unknown }

const ENDED = { done: true, value: undefined } as const

/** The reader is slower than the server: the socket is read again when most of this has been read. */
const PAUSE_BYTES = 256 * 1024
const RESUME_BYTES = 64 * 1024
