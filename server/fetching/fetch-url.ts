import { REQUEST_LIMITS } from '../request-limits.ts'
import type { CheckedResolver } from './addresses/resolver.ts'
import { FetchFailure } from './attempts/fetch-failure.ts'
import type { FetchLimits } from './attempts/fetch-limits.ts'
import { CookieJar, joinCookies } from './headers/cookies.ts'
import { utf8HeaderText } from './headers/header-text.ts'
import { loginsOf, type OriginHeaders, type SavedLogin } from './headers/origin-headers.ts'
import type { Http1Client, RequestHead } from './http1/client.ts'
import { proxyName } from './proxies/proxy.ts'
import type { ProxyRoutes } from './proxies/proxy-routes.ts'
import { basicCredentials } from './request.ts'
import { type Route, requestFrom, type SourceResponse } from './response.ts'
import { type SourceUrl, splitUrl } from './source-url.ts'

/** What all fetches of a job share. */
export interface FetchContext {
  readonly resolver: Pick<CheckedResolver, 'resolve' | 'assertNotRefused'>
  readonly client: Pick<Http1Client, 'request' | 'heldMs' | 'isLimited'>
  readonly limits: FetchLimits
  /** What each origin gets from the users of the job. */
  readonly originHeaders: Pick<OriginHeaders, 'for' | 'answered'>
  readonly proxies: Pick<ProxyRoutes, 'for' | 'addressesOf'>
}

/** The one connection of a fetch, which moves from host to host. */
export interface FetchConnection {
  /**
   * Called before each hop with `name:port`. Resolves when a connection to that host may be opened, to a controller that is
   * aborted when the connection must be closed: by its owner, or by the fetch when the source is silent.
   * @param proxy the name of the proxy that the connection goes through; null for none
   */
  switchTo(host: string, proxy: string | null): Promise<AbortController>
}

/**
 * Sends one GET or HEAD request and follows its redirects itself (RFC 9110 section 15.4), with the cookies that they set. Each hop
 * connects to an address that was checked just before; `Host` and TLS still use the name. A proxy looks up the name itself. Each hop
 * gets the headers that its users give to its own origin: to these, cookies that were set on the way are added, and credentials in
 * the URL go before them.
 * @param headersFor additional headers for the request to a URL, to resume a body or to ask whether it has changed (RFC 9110
 * sections 13 and 14); null for none
 * @throws FetchFailure for any fault of the network or the host
 */
export async function fetchUrl(
  submitted: SourceUrl,
  headersFor: HeadersFor,
  context: FetchContext,
  connection: FetchConnection,
  method: RequestHead['method'] = 'GET',
): Promise<FetchedResponse> {
  const { client, limits, originHeaders } = context
  let url = submitted
  let authorization = basicCredentials(submitted)
  const cookies = new CookieJar()
  for (let redirects = 0; ; redirects++) {
    const { route, aborter } = await routeTo(url, context, connection)
    const given = originHeaders
      .for(url, submitted, Date.now())
      .filter(({ name }) => name !== 'authorization' || authorization === null)
    const credentials: Record<string, string> = {}
    for (const { name, value } of given) credentials[name] = value
    if (authorization !== null) credentials.authorization = authorization
    const cookie = joinCookies(credentials.cookie ?? null, cookies.headerFor(url, Date.now()))
    if (cookie !== null) credentials.cookie = cookie
    const headers = { ...credentials, ...headersFor(url) }
    const response = await requestFrom(client, route, url, headers, limits, aborter, method)
    originHeaders.answered(given, response.status)
    const location = redirectLocation(response)
    if (location === null) return Object.assign(response, { credentials, logins: loginsOf(given) })
    cookies.keep(url, response.headers.getAll('set-cookie'), Date.now())
    response[Symbol.dispose]()
    const target = redirectTarget(location, url)
    if (redirects === limits.maxRedirects) throw new FetchFailure('Too many redirects')
    authorization = basicCredentials(target) ?? (isSameOrigin(target, url) ? authorization : null)
    url = target
  }
}

/** The last response of a fetch. */
export interface FetchedResponse extends SourceResponse {
  /** The headers that its URL was asked with, after all redirects: those saved for its origin, `Authorization` and `Cookie`. */
  readonly credentials: Readonly<Record<string, string>>
  /** The saved logins that its request had headers of. */
  readonly logins: readonly SavedLogin[]
}

/**
 * Sends one more GET request to the URL that a response came from, for a part of the same body, with the same credentials. Follows no
 * redirect.
 * @param headers additional headers
 * @throws FetchFailure for any fault of the network or the host
 */
export async function fetchAgain(
  { url, credentials }: Pick<FetchedResponse, 'url' | 'credentials'>,
  headers: Readonly<Record<string, string>>,
  context: FetchContext,
  connection: FetchConnection,
): Promise<SourceResponse> {
  const { client, limits } = context
  const { route, aborter } = await routeTo(url, context, connection)
  return await requestFrom(client, route, url, { ...credentials, ...headers }, limits, aborter)
}

/** Waits for a connection to the host of a URL, and finds the way to it: checked addresses, or those of its proxy. */
async function routeTo(
  url: SourceUrl,
  { resolver, proxies }: Pick<FetchContext, 'resolver' | 'proxies'>,
  connection: FetchConnection,
): Promise<{ readonly route: Route; readonly aborter: AbortController }> {
  const proxy = proxies.for(url)
  if (proxy !== null) resolver.assertNotRefused(url.hostname, url.port)
  const aborter = await connection.switchTo(url.hostKey, proxy === null ? null : proxyName(proxy))
  const addresses = await (proxy === null
    ? resolver.resolve(url.hostname, url.port)
    : proxies.addressesOf(proxy))
  return { route: { addresses, proxy }, aborter }
}

/** Additional headers for the request to a URL; null for none. */
export type HeadersFor = (url: SourceUrl) => Readonly<Record<string, string>> | null

function redirectLocation({ status, headers }: SourceResponse): string | null {
  return REDIRECT_STATUSES.has(status) ? headers.get('location') : null
}

function redirectTarget(location: string, from: SourceUrl): SourceUrl {
  const target =
    location.length > MAX_LOCATION_CHARACTERS ? null : URL.parse(locationText(location), from.href)
  if (target === null) throw new FetchFailure('Malformed response')
  const url = splitUrl(target)
  if (url === null) throw new FetchFailure('Unsupported redirect')
  return url
}

/** Bytes that are no UTF-8 are escaped as they are, so that the host gets the same bytes. */
function locationText(location: string): string {
  return (
    utf8HeaderText(location) ??
    location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  )
}

/** RFC 6454 section 5. */
function isSameOrigin(one: SourceUrl, other: SourceUrl): boolean {
  return one.scheme === other.scheme && one.hostKey === other.hostKey
}

/** Not 300, which needs a choice, and not 304, which needs a cache. */
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/** As long as a URL of a job. Parsing a non-ASCII host name of 64 KiB takes 30 ms. */
const MAX_LOCATION_CHARACTERS = REQUEST_LIMITS.urlCharacters
