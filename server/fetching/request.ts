import { basicAuthorization } from '../text/basic-authorization.ts'
import { VERSION } from '../version.ts'
import type { SourceUrl } from './source-url.ts'

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
