import { formatHostPort } from '../text/host-port.ts'
import { VERSION } from '../version.ts'
import type { RequestHead } from './http1/client.ts'
import type { SourceUrl } from './source-url.ts'
import { VERIFIED_TLS } from './verified-tls.ts'

/** A request for the body of a URL. @param headers additional headers */
export function sourceRequest(url: SourceUrl, headers: Readonly<Record<string, string>>): RequestHead {
  const all = [['host', url.host] as const, ...OWN_HEADER_LINES, ...Object.entries(headers)]
  return { method: 'GET', target: url.path, headers: all }
}

/** The URL and the options for `fetch` of a request that connects to a checked address. */
export interface PinnedRequest {
  readonly url: string
  readonly options: BunFetchRequestInit
}

/**
 * A request that connects to `address`, while `Host` and TLS still use the name of the URL. It follows no redirect and uses
 * no proxy. User information of the URL is not part of it: see `basicCredentials`.
 * @param headers additional headers
 */
export function pinnedRequest(
  url: SourceUrl,
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): PinnedRequest {
  const options: BunFetchRequestInit = {
    headers: { host: url.host, ...OWN_HEADERS, ...headers },
    redirect: 'manual',
    decompress: false,
    proxy: false,
    tls: { ...VERIFIED_TLS, ...(isAddress(url) ? {} : { serverName: serverName(url) }) },
    signal,
  }
  return {
    url: `${url.scheme}://${formatHostPort(address, url.port)}${url.path}`,
    options,
  }
}

/** Basic authentication (RFC 7617) from the user information of the URL. */
export function basicCredentials(url: SourceUrl): string | null {
  if (url.username === '' && url.password === '') return null
  const pair = `${percentDecode(url.username)}:${percentDecode(url.password)}`
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
}

/** Whether the host is an address. A URL parser accepts no other host of digits and dots alone. */
export function isAddress({ hostname }: SourceUrl): boolean {
  return hostname.startsWith('[') || IPV4.test(hostname)
}

const IPV4 = /^[\d.]+$/

/** The host without the brackets of an IPv6 address. */
export function bareHostname(url: SourceUrl): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** RFC 6066 section 3: without the trailing dot of an absolute name. */
function serverName(url: SourceUrl): string {
  return url.hostname.replace(/\.$/, '')
}

const OWN_HEADERS = { 'user-agent': `Holdall/${VERSION}`, accept: '*/*', 'accept-encoding': 'identity' }
const OWN_HEADER_LINES = Object.entries(OWN_HEADERS)
