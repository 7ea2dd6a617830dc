import { basicAuthorization } from '../text/basic-authorization.ts'
import { VERSION } from '../version.ts'
import type { RequestHead } from './http1/client.ts'
import type { SourceUrl } from './source-url.ts'

/**
 * A request for a URL, by a client for sources.
 * @param headers additional headers by their names in lower case. Those that Holdall sends, too, take the place of its own
 */
export function sourceRequest(
  url: SourceUrl,
  headers: Readonly<Record<string, string>>,
  method: RequestHead['method'],
): RequestHead {
  return { method, target: url.path, headers: [['host', url.host], ...Object.entries(headers)] }
}

/** Basic authentication (RFC 7617) from the user information of the URL. */
export function basicCredentials(url: SourceUrl): string | null {
  if (url.username === '' && url.password === '') return null
  return basicAuthorization(percentDecode(url.username), percentDecode(url.password))
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

export const OWN_USER_AGENT = `Holdall/${VERSION}`

/** What Holdall says about itself in every request. */
export const OWN_HEADERS = {
  'user-agent': OWN_USER_AGENT,
  accept: '*/*',
  'accept-encoding': 'identity',
}
