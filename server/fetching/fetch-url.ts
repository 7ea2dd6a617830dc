import { REQUEST_LIMITS } from '../request-limits.ts'
import type { CheckedResolver } from './checked-resolver.ts'
import { isConnectable } from './connectable.ts'
import { classifyNetworkError, FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'
import { basicCredentials, pinnedRequest, portOf } from './pinned-request.ts'
import { type StallTimer, startStallTimer } from './stall-timer.ts'
import { tryAddresses } from './try-addresses.ts'

/** What a fetch needs in addition to its URL. */
export interface FetchContext {
  readonly resolver: CheckedResolver
  readonly limits: FetchLimits
  /**
   * Called before each hop with `name:port`. Resolves when a connection to that host may be opened, to a controller that is
   * aborted when the connection must be closed: by its owner, or by the fetch when the source is silent.
   */
  readonly leaseHost: (host: string) => Promise<AbortController>
}

/** A response whose body has not been read. Disposing of it closes the connection if the body has not ended. */
export interface SourceResponse extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** Aborted when the body is no longer wanted. */
  readonly signal: AbortSignal
  /** The URL after all redirects. */
  readonly url: URL
  /** The body as received, in pieces. A body that ends early throws a `FetchFailure`. */
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/**
 * Sends one GET request and follows its redirects itself (RFC 9110 section 15.4). Each hop connects to an address that was
 * checked just before; `Host` and TLS still use the name.
 * @param headersFor headers for the request to a URL, to resume a body or to ask whether it has changed (RFC 9110 sections 13
 * and 14)
 * @throws FetchFailure for any fault of the network or the host
 */
export async function fetchUrl(
  submitted: string,
  headersFor: (url: URL) => Readonly<Record<string, string>>,
  context: FetchContext,
): Promise<SourceResponse> {
  let url = new URL(submitted)
  let authorization = basicCredentials(url)
  for (let redirects = 0; ; redirects++) {
    const aborter = await context.leaseHost(hostKey(url))
    const headers = { ...headersFor(url), ...(authorization === null ? {} : { authorization }) }
    const response = await fetchHop(url, headers, context, aborter)
    const target = redirectTarget(response, url)
    if (target === null) return response
    await response[Symbol.asyncDispose]()
    if (redirects === context.limits.maxRedirects) throw new FetchFailure('Too many redirects')
    authorization = basicCredentials(target) ?? (target.origin === url.origin ? authorization : null)
    url = target
  }
}

/** Host and port, by which connections are counted: `example.org:443`. */
export function hostKey(url: URL): string {
  return `${url.hostname}:${portOf(url)}`
}

async function fetchHop(
  url: URL,
  headers: Record<string, string>,
  context: FetchContext,
  aborter: AbortController,
): Promise<SourceResponse> {
  const addresses = await context.resolver.resolve(url.hostname, portOf(url))
  return tryAddresses(addresses, (address) => fetchFrom(address, url, headers, context.limits, aborter))
}

async function fetchFrom(
  address: string,
  url: URL,
  headers: Record<string, string>,
  limits: FetchLimits,
  aborter: AbortController,
): Promise<SourceResponse> {
  const { signal } = aborter
  signal.throwIfAborted()
  let isAwaitingHeaders = true
  const stallTimer = startStallTimer(
    limits,
    () => void abortIfUnconnectable(address, url, limits, () => isAwaitingHeaders, aborter),
    // Not retryable: a source that was silent for so long will be silent at the next attempt as well.
    () => aborter.abort(new FetchFailure('Timed out', { retryable: false })),
  )
  try {
    const request = pinnedRequest(url, address, headers, signal)
    const response = await fetch(request.url, request.options)
    stallTimer.headersArrived()
    return sourceResponse(response, url, stallTimer, signal)
  } catch (error) {
    stallTimer[Symbol.dispose]()
    throw failureOf(error, signal)
  } finally {
    isAwaitingHeaders = false
  }
}

function sourceResponse(
  response: Response,
  url: URL,
  stallTimer: StallTimer,
  signal: AbortSignal,
): SourceResponse {
  const reader = response.body?.getReader()
  let isDone = reader === undefined
  // Not a generator: with thousands of small bodies the difference is noticeable.
  const next = async (): Promise<IteratorResult<Uint8Array<ArrayBuffer>, undefined>> => {
    if (isDone || reader === undefined) return { done: true, value: undefined }
    stallTimer.waiting()
    try {
      const { done, value } = await reader.read()
      if (done) {
        isDone = true
        return { done: true, value: undefined }
      }
      stallTimer.received(value.length)
      return { done: false, value }
    } catch (error) {
      isDone = true
      throw failureOf(error, signal)
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    signal,
    url,
    body: { [Symbol.asyncIterator]: () => ({ next }) },
    async [Symbol.asyncDispose]() {
      stallTimer[Symbol.dispose]()
      // Rejects when the body fails meanwhile, which no longer matters.
      if (!isDone) await reader?.cancel().catch(() => {})
    },
  }
}

function redirectTarget(response: SourceResponse, from: URL): URL | null {
  const location = response.headers.get('location')
  if (!REDIRECT_STATUSES.has(response.status) || location === null) return null
  const target = location.length > MAX_LOCATION_CHARACTERS ? null : URL.parse(location, from.href)
  if (target === null) throw new FetchFailure('Malformed response')
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw new FetchFailure('Unsupported redirect')
  return target
}

/**
 * Aborts the attempt when no TCP connection can be made in time. Runs only after half of the connect timeout: most hosts
 * have answered by then, and the check costs a connection.
 */
async function abortIfUnconnectable(
  address: string,
  url: URL,
  limits: FetchLimits,
  isAwaitingHeaders: () => boolean,
  aborter: AbortController,
): Promise<void> {
  const isUp = await isConnectable(address, portOf(url), limits.connectTimeoutMs / 2, aborter.signal)
  if (!isUp && isAwaitingHeaders()) aborter.abort(new FetchFailure('Timed out'))
}

function failureOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : classifyNetworkError(error)
}

/** Not 300, which needs a choice, and not 304, which needs a cache. */
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/** As long as a URL of a job. Parsing a non-ASCII host name of 64 KiB takes 30 ms. */
const MAX_LOCATION_CHARACTERS = REQUEST_LIMITS.urlCharacters
