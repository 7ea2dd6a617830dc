import { REQUEST_LIMITS } from '../../../server/request-limits.ts'

/** A link that a person gave, as the service expects it. */
export interface Link {
  readonly url: string
  /** The file name given with the link, with `/` between folders; null if the URL and the response decide. */
  readonly filename: string | null
}

/** A part of a text, in the order of the text. */
export type Recognised =
  | ({
      readonly kind: 'link'
      /** The text of the link where it tells no file name: a person may want the file to be called so. */
      readonly label?: string
    } & Link)
  /** `www.host/...` or `host.tld/path`: a link if the person says so. `url` has a scheme, `text` is what was written. */
  | { readonly kind: 'schemeless'; readonly url: string; readonly text: string }
  /** A line without a link. `reason` says why a link in it can't be fetched; null for plain words. */
  | { readonly kind: 'text'; readonly text: string; readonly reason: UrlProblem | null }

/** Why a text is not a URL that can be fetched. */
export type UrlProblem =
  | { readonly code: 'TOO_LONG' | 'HAS_SPACE' | 'NO_SCHEME' | 'NOT_A_URL' }
  | { readonly code: 'UNSUPPORTED_SCHEME'; readonly scheme: string }

/** Returns why the text is not a URL that can be fetched; null if it is one. */
export function urlProblem(candidate: string): UrlProblem | null {
  if (candidate.length > REQUEST_LIMITS.urlCharacters) return { code: 'TOO_LONG' }
  // `URL` would join two URLs with a space between them to one.
  if (/\s/.test(candidate)) return { code: 'HAS_SPACE' }
  if (lacksScheme(candidate)) return { code: 'NO_SCHEME' }
  const url = URL.parse(candidate)
  if (url === null) return { code: 'NOT_A_URL' }
  if (url.protocol === 'http:' || url.protocol === 'https:') return null
  return { code: 'UNSUPPORTED_SCHEME', scheme: url.protocol.slice(0, -1) }
}

/** Matches `example.org/a`, and `example.org:8080`, which `URL` would parse as a URL with the scheme `example.org`. */
function lacksScheme(text: string): boolean {
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(text)
}
