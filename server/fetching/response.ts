import { classifyNetworkError, FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'
import type { Http1Client, Http1Response, OriginTrust, ResponseHeaders } from './http1/client.ts'
import { bareHostname, sourceRequest } from './request.ts'
import type { SourceUrl } from './source-url.ts'
import { StallTimer } from './stall-timer.ts'

/** A response whose body has not been read. Disposing of it closes the connection if the body has not ended. */
export interface SourceResponse extends Disposable {
  readonly status: number
  readonly headers: Pick<ResponseHeaders, 'get' | 'getAll'>
  /** Aborted when the body is no longer wanted. */
  readonly signal: AbortSignal
  /** The URL after all redirects. */
  readonly url: SourceUrl
  /** The body as received, in pieces. A body that ends early throws a `FetchFailure`. */
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>
  /**
   * When this origin turns out to send responses that nobody asked for, this may have been one: then the body must be fetched again, even
   * if it has ended well. Null if that can't be.
   */
  readonly doubtfulWith: OriginTrust | null
}

/**
 * Sends one GET request to one of the checked addresses of the host of a URL.
 * @param aborter closes the connection. Aborted here when the source is silent
 * @throws FetchFailure for any fault of the network or the host
 */
export async function requestFrom(
  client: Http1Client,
  addresses: readonly string[],
  url: SourceUrl,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
  aborter: AbortController,
): Promise<SourceResponse> {
  const { signal } = aborter
  signal.throwIfAborted()
  const timer = new StallTimer(limits, (reason) =>
    // Each further attempt would hold a connection for as long.
    aborter.abort(new FetchFailure('Timed out', { retryable: reason === 'silent' })),
  )
  try {
    const response = await client.request({
      origin: { isSecure: url.scheme === 'https', serverName: serverName(url), port: url.port, addresses },
      head: sourceRequest(url, headers),
      signal,
      onConnected: () => timer.connected(),
    })
    timer.headersArrived()
    return timedResponse(response, url, signal, timer)
  } catch (error) {
    timer[Symbol.dispose]()
    throw failureOf(error, signal)
  }
}

function timedResponse(
  response: Http1Response,
  url: SourceUrl,
  signal: AbortSignal,
  timer: StallTimer,
): SourceResponse {
  return {
    status: response.status,
    headers: response.headers,
    signal,
    url,
    body: new TimedBody(response, signal, timer),
    doubtfulWith: response.doubtfulWith,
    [Symbol.dispose]() {
      timer[Symbol.dispose]()
      response[Symbol.dispose]()
    },
  }
}

/** The body of a response from a source that must not be silent for too long. Not a generator, which takes more turns per piece. */
class TimedBody implements AsyncIterableIterator<Uint8Array<ArrayBuffer>, undefined> {
  readonly #response: Http1Response
  readonly #signal: AbortSignal
  readonly #timer: StallTimer

  constructor(response: Http1Response, signal: AbortSignal, timer: StallTimer) {
    this.#response = response
    this.#signal = signal
    this.#timer = timer
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, undefined>> {
    this.#timer.waiting()
    try {
      const result = await this.#response.next()
      this.#timer.received(result.value?.length ?? 0)
      if (result.done !== true || !this.#response.isDoubtful) return result
    } catch (error) {
      throw failureOf(error, this.#signal)
    }
    throw new FetchFailure('Connection closed early')
  }
}

/** RFC 6066 section 3: without the trailing dot of an absolute name. */
function serverName(url: SourceUrl): string {
  return bareHostname(url).replace(/\.$/, '')
}

function failureOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : classifyNetworkError(error)
}
