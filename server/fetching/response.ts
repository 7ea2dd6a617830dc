import { classifyNetworkError, FetchFailure } from './attempts/fetch-failure.ts'
import type { FetchLimits } from './attempts/fetch-limits.ts'
import { StallTimer } from './attempts/stall-timer.ts'
import {
  type Http1Client,
  type Http1Response,
  type OriginTrust,
  ProxyFailure,
  type ProxyHop,
  type RequestHead,
  type ResponseHeaders,
} from './http1/client.ts'
import type { HttpProxy } from './proxies/proxy.ts'
import { bareHostname } from './request.ts'
import type { SourceUrl } from './source-url.ts'

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

/** The way to a host. */
export interface Route {
  /** The addresses of the host, checked just now, or those of the proxy. */
  readonly addresses: readonly string[]
  readonly proxy: HttpProxy | null
}

/**
 * Sends one request to one of the checked addresses of the host of a URL, or to its proxy.
 * @param headers additional headers by their names in lower case. Those that the client sends, too, take the place of its own
 * @param aborter closes the connection. Aborted here when the source is silent
 * @throws FetchFailure for any fault of the network or the host
 */
export async function requestFrom(
  client: Pick<Http1Client, 'request' | 'heldMs'>,
  { addresses, proxy }: Route,
  url: SourceUrl,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
  aborter: AbortController,
  method: RequestHead['method'] = 'GET',
): Promise<SourceResponse> {
  const { signal } = aborter
  signal.throwIfAborted()
  let hasAnswered = false
  const onTimeout = (reason: 'silent' | 'slow') => {
    const cause = proxy === null || hasAnswered ? undefined : PROXY_IS_SILENT
    // Each further attempt would hold a connection for as long.
    aborter.abort(new FetchFailure('Timed out', { retryable: reason === 'silent', cause }))
  }
  const timer = new StallTimer(limits, onTimeout, () => client.heldMs())
  try {
    const response = await client.request({
      origin: {
        isSecure: url.scheme === 'https',
        serverName: serverName(url),
        port: url.port,
        addresses,
        proxy: proxy === null ? null : hopOf(proxy),
      },
      head: { method, target: url.path, headers: [['host', url.host], ...Object.entries(headers)] },
      signal,
      onConnected: () => timer.connected(),
    })
    hasAnswered = true
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

/**
 * The body of a response from a source that must not be silent for too long. Not a generator, which would wait for more promises per piece.
 */
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

function hopOf({ isSecure, hostname, port, authorization }: HttpProxy): ProxyHop {
  return { isSecure, serverName: hostname, port, authorization }
}

/** Nothing tells whether it waits for the host. */
const PROXY_IS_SILENT = new ProxyFailure('proxy-failed', 'did not answer in time', { concernsAll: false })

function failureOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : classifyNetworkError(error)
}
