import { REQUEST_LIMITS } from '../request-limits.ts'
import type { CheckedResolver } from './addresses/resolver.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'
import { basicCredentials } from './request.ts'
import { requestFrom, type SourceResponse } from './response.ts'
import { type SourceUrl, splitUrl } from './source-url.ts'
import { tryAddresses } from './try-addresses.ts'

/** What all fetches of a job share. */
export interface FetchContext {
  readonly resolver: CheckedResolver
  readonly limits: FetchLimits
}

/** The one connection of a fetch, which moves from host to host. */
export interface FetchConnection {
  /**
   * Called before each hop with `name:port`. Resolves when a connection to that host may be opened, to a controller that is
   * aborted when the connection must be closed: by its owner, or by the fetch when the source is silent.
   */
  switchTo(host: string): Promise<AbortController>
}

/**
 * Sends one GET request and follows its redirects itself (RFC 9110 section 15.4). Each hop connects to an address that was
 * checked just before; `Host` and TLS still use the name.
 * @param headersFor additional headers for the request to a URL, to resume a body or to ask whether it has changed (RFC 9110
 * sections 13 and 14); null for none
 * @throws FetchFailure for any fault of the network or the host
 */
export async function fetchUrl(
  submitted: SourceUrl,
  headersFor: HeadersFor,
  { resolver, limits }: FetchContext,
  connection: FetchConnection,
): Promise<SourceResponse> {
  let url = submitted
  let authorization = basicCredentials(submitted)
  for (let redirects = 0; ; redirects++) {
    const aborter = await connection.switchTo(url.hostKey)
    const addresses = await resolver.resolve(url.hostname, url.port)
    const headers = { ...headersFor(url), ...(authorization === null ? {} : { authorization }) }
    const response = await tryAddresses(addresses, (address) =>
      requestFrom(address, url, headers, limits, aborter),
    )
    const location = redirectLocation(response)
    if (location === null) return response
    await response[Symbol.asyncDispose]()
    const target = redirectTarget(location, url)
    if (redirects === limits.maxRedirects) throw new FetchFailure('Too many redirects')
    authorization = basicCredentials(target) ?? (isSameOrigin(target, url) ? authorization : null)
    url = target
  }
}

/** Additional headers for the request to a URL; null for none. */
export type HeadersFor = (url: SourceUrl) => Readonly<Record<string, string>> | null

function redirectLocation({ status, headers }: SourceResponse): string | null {
  return REDIRECT_STATUSES.has(status) ? headers.get('location') : null
}

function redirectTarget(location: string, from: SourceUrl): SourceUrl {
  const target = location.length > MAX_LOCATION_CHARACTERS ? null : URL.parse(location, from.href)
  if (target === null) throw new FetchFailure('Malformed response')
  const url = splitUrl(target)
  if (url === null) throw new FetchFailure('Unsupported redirect')
  return url
}

/** RFC 6454 section 5. */
function isSameOrigin(one: SourceUrl, other: SourceUrl): boolean {
  return one.scheme === other.scheme && one.hostKey === other.hostKey
}

/** Not 300, which needs a choice, and not 304, which needs a cache. */
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/** As long as a URL of a job. Parsing a non-ASCII host name of 64 KiB takes 30 ms. */
const MAX_LOCATION_CHARACTERS = REQUEST_LIMITS.urlCharacters
