import { parseSourceUrl, type SourceUrl } from '../../fetching/source-url.ts'

/**
 * A URL as a manifest may show it, since an archive is passed on: without user information and fragment, and with `REDACTED` in place of
 * each value that signs or authorises. As it is if nothing of that is in it.
 */
export function redactUrl(text: string): string {
  const url = parseSourceUrl(text)
  const redacted = redactParsed(url)
  return redacted === url.href ? text : redacted
}

/** The same for a URL that is parsed already. */
export function redactParsed({ scheme, host, pathname, path }: SourceUrl): string {
  return `${scheme}://${host}${redactPath(pathname)}${redactQuery(path.slice(pathname.length))}`
}

/** RFC 3986, section 3.3: parameters of a segment follow `;`. A path may hold another URL, as those of web archives do. */
function redactPath(path: string): string {
  return path
    .replace(/(\/\/)[^/]*@/g, '$1')
    .replace(/;([^=;/]*)=([^;/]*)/g, (pair, name: string, value: string) =>
      isSecret(name, value) ? `;${name}=${REDACTED}` : pair,
    )
}

function redactQuery(query: string): string {
  return query.replace(/([?&;])([^=&;]*)(=[^&;]*)?/g, (pair, before: string, name: string, value = '') => {
    if (value === '') return holdsSecret(name) ? before + REDACTED : pair
    return isSecret(name, value) ? `${before}${name}=${REDACTED}` : pair
  })
}

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(decoded(name)) || holdsSecret(value)
}

/** Whether a value is a URL, a query or JSON with a secret of its own. */
function holdsSecret(value: string): boolean {
  const text = decoded(value)
  return SECRET_PAIR.test(text) || USER_INFORMATION.test(text)
}

/** Undoes percent-encoding, also of what was encoded several times. */
function decoded(text: string): string {
  let result = text
  for (let times = 0; times < MAX_ENCODED && result.includes('%'); times++)
    result = result.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  return result
}

const REDACTED = 'REDACTED'
const SECRET_NAME = /sig|token|key|secret|credential|password|auth|session/i
/** With a bound, so that the time is proportional to the length, also of a URL of nothing but such words. */
const SECRET_PAIR = /(?:sig|token|key|secret|credential|password|auth|session)[^=&;?#:]{0,40}[=:]/i
const USER_INFORMATION = /\/\/[^/?#@]{1,200}@/
const MAX_ENCODED = 3
