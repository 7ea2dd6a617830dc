/** A header that a user wants to be sent. */
export interface Header {
  readonly name: string
  readonly value: string
}

/** What is wrong with a header that a user wants to be sent, as the rest of a sentence about it; null if nothing is. */
export function headerNameIssue(name: string): string | null {
  if (!TOKEN.test(name)) return 'must be the name of a header, such as Authorization'
  return isOwnHeader(name) ? 'must not be a header that Holdall sets itself' : null
}

/** The same for its value. */
export function headerValueIssue(value: string): string | null {
  return VISIBLE.test(value) ? null : 'must contain printable ASCII characters only'
}

/**
 * Whether only Holdall may set a header: it decides where the message ends (RFC 9112 section 6), who gets it, what belongs to the
 * connection (RFC 9110 section 7.6.1) or to a proxy, which part of a body is asked for, and how the body is coded.
 */
export function isOwnHeader(name: string): boolean {
  return OWN.test(name)
}

const OWN =
  /^(?:host|content-length|transfer-encoding|connection|upgrade|te|trailer|keep-alive|expect|range|accept-encoding|(?:if|proxy)-.*)$/i
/** RFC 9110 section 5.6.2. */
export const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VISIBLE = /^[ -~]*$/
