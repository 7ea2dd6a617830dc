import { VERSION } from '../version.ts'
import { Http1Client, type RequestHead } from './http1/client.ts'
import type { SourceUrl } from './source-url.ts'

/** A client for requests to sources. */
export function openSourceClient(): Http1Client {
  return new Http1Client({ headers: Object.entries(OWN_HEADERS) })
}

/**
 * A request for the body of a URL, by a client for sources.
 * @param headers additional headers by their names in lower case. Those that Holdall sends, too, take the place of its own
 */
export function sourceRequest(url: SourceUrl, headers: Readonly<Record<string, string>>): RequestHead {
  return { method: 'GET', target: url.path, headers: [['host', url.host], ...Object.entries(headers)] }
}

/** Basic authentication (RFC 7617) from the user information of the URL. */
export function basicCredentials(url: SourceUrl): string | null {
  if (url.username === '' && url.password === '') return null
  const pair = `${percentDecode(url.username)}:${percentDecode(url.password)}`
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
}

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

/** What Holdall says about itself in every request. */
export const OWN_HEADERS = {
  'user-agent': `Holdall/${VERSION}`,
  accept: '*/*',
  'accept-encoding': 'identity',
}
