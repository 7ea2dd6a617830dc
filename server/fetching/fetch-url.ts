import { isIP } from 'node:net'
import { VERSION } from '../version.ts'
import type { AddressBook } from './address-book.ts'
import { isConnectable } from './connectable.ts'
import { classifyNetworkError, FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'
import { startWatch, type Watch } from './watch.ts'

/** What a fetch needs beside its URL. */
export interface FetchContext {
  readonly addressBook: AddressBook
  readonly limits: FetchLimits
  /**
   * Called before each hop with `name:port`: waits until a connection to it may be opened, and gives what ends it when
   * it is not to go on.
   */
  readonly leaseHost: (host: string) => Promise<AbortSignal>
}

/** A response whose body has not been read. Disposing of it ends the connection if the body is still coming. */
export interface SourceResponse extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** Aborted when nothing more is to be made of the body. */
  readonly signal: AbortSignal
  /** Where the last redirect led. */
  readonly url: URL
  /** The body as it came, in pieces. Ends early only by throwing a `FetchFailure`. */
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/**
 * Sends one GET and follows its redirects by hand (RFC 9110 section 15.4), each hop on an address that was
 * checked just before, with the name kept for `Host` and for TLS.
 * @param range headers of RFC 9110 section 14, for a body that goes on
 * @throws FetchFailure for whatever the network or the host does
 */
export async function fetchUrl(
  submitted: string,
  range: Readonly<Record<string, string>>,
  context: FetchContext,
): Promise<SourceResponse> {
  let url = new URL(submitted)
  let authorization = basicCredentials(url)
  for (let redirects = 0; ; redirects++) {
    const signal = await context.leaseHost(hostKey(url))
    const headers = { ...range, ...(authorization === null ? {} : { authorization }) }
    const response = await fetchHop(url, headers, context, signal)
    const target = redirectTarget(response, url)
    if (target === null) return response
    await response[Symbol.asyncDispose]()
    if (redirects === context.limits.maxRedirects) throw new FetchFailure('Too many redirects')
    authorization = basicCredentials(target) ?? (target.origin === url.origin ? authorization : null)
    url = target
  }
}

/** Names a host and port, as connections are counted: `example.org:443`. */
export function hostKey(url: URL): string {
  return `${url.hostname}:${portOf(url)}`
}

async function fetchHop(
  url: URL,
  headers: Record<string, string>,
  context: FetchContext,
  signal: AbortSignal,
): Promise<SourceResponse> {
  const addresses = await context.addressBook.lookUp(url.hostname, portOf(url))
  let failure: FetchFailure | null = null
  for (const address of addresses) {
    try {
      return await fetchFrom(address, url, headers, context.limits, signal)
    } catch (error) {
      if (!(error instanceof FetchFailure) || !TRY_NEXT_ADDRESS.has(error.text)) throw error
      failure = error
    }
  }
  throw failure ?? new FetchFailure('Could not resolve host')
}

async function fetchFrom(
  address: string,
  url: URL,
  headers: Record<string, string>,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<SourceResponse> {
  signal.throwIfAborted()
  const aborter = new AbortController()
  const onAbort = () => aborter.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  let hasBegun = false
  const watch = startWatch(
    limits,
    () => void abortIfUnconnectable(address, url, limits, () => hasBegun, aborter),
    // Whoever says nothing for so long will say nothing the next time.
    () => aborter.abort(new FetchFailure('Timed out', { retryable: false })),
  )
  const end = () => {
    watch[Symbol.dispose]()
    signal.removeEventListener('abort', onAbort)
  }
  try {
    const response = await fetch(pinnedUrl(url, address), {
      headers: { ...baseHeaders(url), ...headers },
      redirect: 'manual',
      decompress: false,
      proxy: false,
      signal: aborter.signal,
      ...(isIP(bareHostname(url)) === 0 ? { tls: { serverName: serverName(url) } } : {}),
    })
    hasBegun = true
    watch.headersArrived()
    return sourceResponse(response, url, watch, aborter, end)
  } catch (error) {
    end()
    throw failureOf(error, aborter.signal)
  }
}

function sourceResponse(
  response: Response,
  url: URL,
  watch: Watch,
  aborter: AbortController,
  end: () => void,
): SourceResponse {
  const reader = response.body?.getReader()
  let isDone = reader === undefined
  // Not a generator: thousands of small bodies feel the difference.
  const next = async (): Promise<IteratorResult<Uint8Array<ArrayBuffer>, undefined>> => {
    if (isDone || reader === undefined) return { done: true, value: undefined }
    watch.waiting()
    try {
      const { done, value } = await reader.read()
      if (done) {
        isDone = true
        return { done: true, value: undefined }
      }
      watch.received(value.length)
      return { done: false, value }
    } catch (error) {
      isDone = true
      throw failureOf(error, aborter.signal)
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    signal: aborter.signal,
    url,
    body: { [Symbol.asyncIterator]: () => ({ next }) },
    async [Symbol.asyncDispose]() {
      end()
      // Rejects when the body fails meanwhile: nobody reads it any more.
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
 * Ends the attempt when not even a connection comes about in time. Asked only after a while: most hosts have
 * answered by then, and the question costs a connection.
 */
async function abortIfUnconnectable(
  address: string,
  url: URL,
  limits: FetchLimits,
  hasBegun: () => boolean,
  aborter: AbortController,
): Promise<void> {
  const isUp = await isConnectable(address, portOf(url), limits.connectTimeoutMs / 2, aborter.signal)
  if (!isUp && !hasBegun()) aborter.abort(new FetchFailure('Timed out'))
}

function failureOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : classifyNetworkError(error)
}

/** The URL to hand to `fetch`: the checked address in place of the name, no credentials, no fragment. */
function pinnedUrl(url: URL, address: string): string {
  const host = isIP(address) === 6 ? `[${address}]` : address
  return `${url.protocol}//${host}:${portOf(url)}${url.pathname}${url.search}`
}

function baseHeaders(url: URL): Record<string, string> {
  return { host: url.host, 'user-agent': `Holdall/${VERSION}`, accept: '*/*', 'accept-encoding': 'identity' }
}

/** RFC 7617, from the user information of the URL. */
function basicCredentials(url: URL): string | null {
  if (url.username === '' && url.password === '') return null
  const pair = `${percentDecode(url.username)}:${percentDecode(url.password)}`
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** RFC 6066 section 3: without the dot at the end that makes a name absolute. */
function serverName(url: URL): string {
  return url.hostname.replace(/\.$/, '')
}

function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** 300 and 304 are not for following without a choice or a cache. */
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/** As long as a URL of a job may be. To parse a name of 64 KiB with other letters than ASCII's takes 30 ms. */
const MAX_LOCATION_CHARACTERS = 8_192

/** Failures that may be the address's alone: another address of the same host can do better. */
const TRY_NEXT_ADDRESS: ReadonlySet<string> = new Set(['Connection refused', 'Connection failed'])
