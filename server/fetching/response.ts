import { isConnectable } from './connectable.ts'
import { classifyNetworkError, FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'
import { pinnedRequest } from './request.ts'
import type { SourceUrl } from './source-url.ts'
import { type StallListener, StallTimer } from './stall-timer.ts'
import { isBodyWhole } from './whole-body.ts'

/** A response whose body has not been read. Disposing of it closes the connection if the body has not ended. */
export interface SourceResponse extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** Aborted when the body is no longer wanted. */
  readonly signal: AbortSignal
  /** The URL after all redirects. */
  readonly url: SourceUrl
  /**
   * The body if it has arrived whole, in one piece; usually at once. Null if it must be read in pieces. Most small bodies are whole,
   * and to read one in pieces takes several turns.
   */
  wholeBody(): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> | null
  /** The body as received, in pieces. A body that ends early throws a `FetchFailure`. */
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/**
 * Sends one GET request to a checked address of the host of a URL.
 * @param aborter closes the connection. Aborted here when the source is silent
 * @throws FetchFailure for any fault of the network or the host
 */
export function requestFrom(
  address: string,
  url: SourceUrl,
  headers: Readonly<Record<string, string>> | null,
  limits: FetchLimits,
  aborter: AbortController,
): Promise<SourceResponse> {
  aborter.signal.throwIfAborted()
  return new Attempt(address, url, limits, aborter).send(headers)
}

/** One request, until its response begins. Aborted when the source is silent. */
class Attempt implements StallListener {
  readonly #address: string
  readonly #url: SourceUrl
  readonly #limits: FetchLimits
  readonly #aborter: AbortController
  readonly #timer: StallTimer
  #isAwaitingHeaders = true

  constructor(address: string, url: SourceUrl, limits: FetchLimits, aborter: AbortController) {
    this.#address = address
    this.#url = url
    this.#limits = limits
    this.#aborter = aborter
    this.#timer = new StallTimer(limits, this)
  }

  /** Without `await`: for thousands of small responses, an asynchronous function takes noticeable memory. */
  send(headers: Readonly<Record<string, string>> | null): Promise<SourceResponse> {
    try {
      const request = pinnedRequest(this.#url, this.#address, headers, this.#aborter.signal)
      return fetch(request.url, request.options).then(
        (response) => this.#begun(response),
        (error: unknown) => this.#failed(error),
      )
    } catch (error) {
      this.#failed(error)
    }
  }

  onSlowStart(): void {
    void this.#abortIfUnconnectable()
  }

  onTimeout(): void {
    // Not retryable: a source that was silent for so long will be silent at the next attempt as well.
    this.#aborter.abort(new FetchFailure('Timed out', { retryable: false }))
  }

  #begun(response: Response): SourceResponse {
    this.#isAwaitingHeaders = false
    this.#timer.headersArrived()
    return new TimedResponse(response, this.#url, this.#aborter.signal, this.#timer)
  }

  #failed(error: unknown): never {
    this.#isAwaitingHeaders = false
    this.#timer[Symbol.dispose]()
    throw failureOf(error, this.#aborter.signal)
  }

  /**
   * Aborts the attempt when no TCP connection can be made in time. Runs only after half of the connect timeout: most hosts
   * have answered by then, and the check costs a connection.
   */
  async #abortIfUnconnectable(): Promise<void> {
    const timeoutMs = this.#limits.connectTimeoutMs / 2
    const isUp = await isConnectable(this.#address, this.#url.port, timeoutMs, this.#aborter.signal)
    if (!isUp && this.#isAwaitingHeaders) this.#aborter.abort(new FetchFailure('Timed out'))
  }
}

/** Reads a body and tells its timer when it waits. Its own iterator, since thousands of small bodies are read. */
class TimedResponse implements SourceResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: SourceUrl
  readonly signal: AbortSignal
  readonly #response: Response
  readonly #timer: StallTimer
  #reader: BodyReader | null = null
  #isDone = false

  constructor(response: Response, url: SourceUrl, signal: AbortSignal, timer: StallTimer) {
    this.status = response.status
    this.headers = response.headers
    this.url = url
    this.signal = signal
    this.#timer = timer
    this.#response = response
  }

  wholeBody(): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> | null {
    if (!isBodyWhole(this.#response)) return null
    this.#isDone = true
    const read = this.#response.arrayBuffer()
    const buffer = Bun.peek(read)
    return buffer instanceof ArrayBuffer ? new Uint8Array(buffer) : this.#whenRead(read)
  }

  get body(): AsyncIterable<Uint8Array<ArrayBuffer>> {
    return this
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, undefined>> {
    if (this.#isDone) return ENDED
    this.#timer.waiting()
    try {
      this.#reader ??= this.#response.body?.getReader() ?? null
      const piece = (await this.#reader?.read())?.value
      if (piece === undefined) {
        this.#isDone = true
        return ENDED
      }
      this.#timer.received(piece.length)
      return { done: false, value: piece }
    } catch (error) {
      this.#isDone = true
      throw failureOf(error, this.signal)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#timer[Symbol.dispose]()
    if (this.#isDone || isBodyWhole(this.#response)) return DISPOSED
    this.#reader ??= this.#response.body?.getReader() ?? null
    // Rejects when the body fails meanwhile, which no longer matters.
    return this.#reader?.cancel().catch(() => {}) ?? DISPOSED
  }

  async #whenRead(read: Promise<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return new Uint8Array(await read)
    } catch (error) {
      throw failureOf(error, this.signal)
    }
  }
}

type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, 'read' | 'cancel'>

const ENDED = { done: true, value: undefined } as const
const DISPOSED = Promise.resolve()

function failureOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : classifyNetworkError(error)
}
