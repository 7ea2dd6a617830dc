import { REQUEST_LIMITS } from '../../../server/request-limits.ts'

/** A link that a person gave, as the service takes it. */
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
  | { readonly kind: 'text'; readonly text: string; readonly reason: string | null }

/** Returns a short reason why the text is not a URL that can be fetched; null if it is one. */
export function urlProblem(candidate: string): string | null {
  if (candidate.length > REQUEST_LIMITS.urlCharacters)
    return `Longer than ${REQUEST_LIMITS.urlCharacters.toLocaleString('en')} characters`
  // `URL` would join two URLs with a space between them to one.
  if (/\s/.test(candidate)) return 'Contains a space'
  if (lacksScheme(candidate)) return 'Missing https://'
  const url = URL.parse(candidate)
  if (url === null) return 'Not a valid URL'
  if (url.protocol === 'http:' || url.protocol === 'https:') return null
  return unsupportedScheme(url.protocol.slice(0, -1))
}

/** The reason why a URL with this scheme can't be fetched. */
export function unsupportedScheme(scheme: string): string {
  return `${scheme} isn’t supported (http and https only)`
}

/** Matches `example.org/a`, and `example.org:8080`, which `URL` would parse as a URL with the scheme `example.org`. */
function lacksScheme(text: string): boolean {
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(text)
}
