/**
 * Replaces the secrets in a text: user information and queries of URLs, API keys, tokens of download and sign-in links,
 * secrets of webhooks. Errors of third-party code quote their input, for example an SQL statement with all its values.
 */
export function redactSecrets(text: string): string {
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
}

const HIDDEN = '[hidden]'

const SECRETS: readonly (readonly [RegExp, string])[] = [
  // RFC 3986, section 3.2.1: up to the last `@` before the path.
  [/((?:https?|smtps?):\/\/)[^\s/?#"'<>]*@/gi, `$1${HIDDEN}@`],
  [/(https?:\/\/[^\s?#"'<>]*)\?[^\s#"'<>]*/gi, `$1?${HIDDEN}`],
  [/(\/(?:download|share)\/)[^\s/?#"'<>]+/g, `$1${HIDDEN}`],
  [/(\/sign-in#)[^\s"'<>]+/g, `$1${HIDDEN}`],
  [/hold_[\dA-Za-z]+/g, `hold_${HIDDEN}`],
  [/whsec_[\dA-Za-z+/=]+/g, `whsec_${HIDDEN}`],
  [/(bearer\s+)[^\s"']+/gi, `$1${HIDDEN}`],
]
