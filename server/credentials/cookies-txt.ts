import { headerValueIssue } from '../fetching/headers/allowed-headers.ts'
import type { Cookie } from '../fetching/headers/cookies.ts'
import { UnreadableCredentials } from './unreadable.ts'

/**
 * Reads the cookies of a browser in Netscape's format (`cookies.txt`), as curl, wget and extensions of browsers write it: one cookie per
 * line, seven fields between tabs. Cookies that can't be sent, because they have other characters than printable ASCII, are left out.
 * @throws UnreadableCredentials for a line in another format, by its number
 */
export function readCookiesTxt(text: string): Cookie[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => {
      const content = line.replace(HTTP_ONLY, '')
      if (content.trim() === '' || content.startsWith('#')) return []
      const cookie = readLine(content)
      if (cookie === null)
        throw new UnreadableCredentials(
          `(line ${index + 1}) is not a valid cookies.txt line. Export the cookies in the Netscape format`,
        )
      return headerValueIssue(`${cookie.name}${cookie.value}`) === null ? [cookie] : []
    })
}

function readLine(line: string): Cookie | null {
  const [domain = '', subdomains = '', path = '', secure = '', expires = '', name, ...value] =
    line.split('\t')
  const hostname = URL.parse(`http://${domain.trim().replace(/^\./, '')}/`)?.hostname ?? ''
  const expirySeconds = Number(expires)
  if (hostname === '' || !path.startsWith('/') || !/^-?\d+(?:\.\d+)?$/.test(expires.trim())) return null
  if (!BOOLEAN.test(subdomains) || !BOOLEAN.test(secure) || name === undefined) return null
  return {
    name,
    value: value.join('\t'),
    domain: hostname,
    // The cookie of a whole top-level domain would go to everybody.
    isHostOnly: !isTrue(subdomains) || !hostname.includes('.'),
    path,
    isSecure: isTrue(secure),
    // A cookie of a session has 0.
    expiresMs: expirySeconds <= 0 ? Infinity : expirySeconds * 1000,
  }
}

function isTrue(field: string): boolean {
  return field.trim().toUpperCase() === 'TRUE'
}

const HTTP_ONLY = /^#HttpOnly_/i
const BOOLEAN = /^\s*(?:TRUE|FALSE)\s*$/i
