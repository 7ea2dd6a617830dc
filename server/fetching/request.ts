import { basicAuthorization } from '../text/basic-authorization.ts'
import { VERSION } from '../version.ts'
import type { RequestHead } from './http1/client.ts'
import type { SourceUrl } from './source-url.ts'

/** A request for the body of a URL. @param headers additional headers, and such as replace Holdall's own, by lower-case names */
export function sourceRequest(url: SourceUrl, headers: Readonly<Record<string, string>>): RequestHead {
  const all = Object.entries({ host: url.host, ...OWN_HEADERS, ...headers })
  return { method: 'GET', target: url.path, headers: all }
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

/** What Holdall says about itself in every request. */
export const OWN_HEADERS = {
  'user-agent': `Holdall/${VERSION}`,
  accept: '*/*',
  'accept-encoding': 'identity',
}
