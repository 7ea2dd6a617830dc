import { isAddress, type SourceUrl } from '../source-url.ts'
import { parseHttpDate } from './http-date.ts'

/**
 * The cookies that one fetch is given on its way, by the rules of RFC 6265. It lives as long as the fetch, so it needs no list of
 * public suffixes: a domain of one label is refused.
 */
export class CookieJar {
  /** In the order of their creation. */
  #cookies: readonly Cookie[] = []

  /** Keeps what the `Set-Cookie` headers of a response from this URL set (RFC 6265 section 5.3). */
  keep(url: SourceUrl, setCookies: readonly string[], nowMs: number): void {
    for (const text of setCookies) {
      const cookie = parseCookie(text, url, nowMs)
      if (cookie !== null) this.#put(cookie, nowMs)
    }
  }

  /** The value of `Cookie` in a request (RFC 6265 section 5.4); null for none. */
  headerFor(url: SourceUrl, nowMs: number): string | null {
    return cookieHeader(this.#cookies, url, nowMs)
  }

  /** A cookie of the same name, domain and path is replaced, and keeps its place. */
  #put(cookie: Cookie, nowMs: number): void {
    const index = this.#cookies.findIndex((known) => isSame(known, cookie))
    const others = index === -1 ? [...this.#cookies, cookie] : this.#cookies.with(index, cookie)
    this.#cookies = others.filter(({ expiresMs }) => expiresMs > nowMs).slice(0, MAX_COOKIES)
  }
}

/** The value of `Cookie` in a request to this URL, of those cookies that are for it (RFC 6265 section 5.4); null for none. */
export function cookieHeader(cookies: readonly Cookie[], url: SourceUrl, nowMs: number): string | null {
  if (cookies.length === 0) return null
  const fitting = cookies
    .filter((cookie) => cookie.expiresMs > nowMs && isFor(cookie, url))
    .toSorted((one, other) => other.path.length - one.path.length)
  return fitting.length === 0 ? null : fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
}

/** The value of `Cookie` from saved cookies and from those that were set on the way, which replace saved ones of the same name. */
export function joinCookies(saved: string | null, onTheWay: string | null): string | null {
  if (saved === null || onTheWay === null) return saved ?? onTheWay
  const replaced = new Set(onTheWay.split(';').map(nameOf))
  const kept = saved.split(';').filter((pair) => pair.trim() !== '' && !replaced.has(nameOf(pair)))
  return [...kept.map((pair) => pair.trim()), onTheWay].join('; ')
}

function nameOf(pair: string): string {
  return splitAt(pair, '=')[0]
}

/** A cookie, and where it is sent (RFC 6265 section 5.3). */
export interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  /** Whether only `domain` itself gets it, and none of its subdomains. */
  readonly isHostOnly: boolean
  readonly path: string
  readonly isSecure: boolean
  readonly expiresMs: number
}

/** RFC 6265 sections 5.2 and 5.3. Null for what is no cookie, or none that this URL may set. */
function parseCookie(text: string, url: SourceUrl, nowMs: number): Cookie | null {
  const [pair = '', ...attributes] = text.split(';')
  const [name, value] = splitAt(pair, '=')
  if (name === '' || value === null || CONTROL.test(pair) || pair.length > MAX_COOKIE_CHARACTERS) return null
  // Of an attribute that is repeated, the last one counts.
  const known = new Map(
    attributes.map((attribute) => {
      const [key, content] = splitAt(attribute, '=')
      return [key.toLowerCase(), content ?? ''] as const
    }),
  )
  const domain = (known.get('domain') ?? '').replace(/^\./, '').toLowerCase()
  const isHostOnly = domain === '' || domain === url.hostname
  if (!isHostOnly && !(domain.includes('.') && isInDomain(url, domain))) return null
  const path = known.get('path') ?? ''
  return {
    name,
    value,
    domain: isHostOnly ? url.hostname : domain,
    // A domain that is the host itself includes its subdomains, unless the host is an address or has one label.
    isHostOnly: domain === '' || isAddress(url) || !domain.includes('.'),
    path: path.startsWith('/') ? path : defaultPath(url),
    isSecure: known.has('secure'),
    expiresMs: expiryOf(known, nowMs),
  }
}

/** `Max-Age` goes before `Expires`. */
function expiryOf(attributes: ReadonlyMap<string, string>, nowMs: number): number {
  const maxAge = attributes.get('max-age') ?? ''
  if (/^-?\d+$/.test(maxAge)) return nowMs + Number(maxAge) * 1000
  return parseHttpDate(attributes.get('expires') ?? '') ?? Infinity
}

/** RFC 6265 section 5.1.4. */
function defaultPath({ pathname }: SourceUrl): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')))
}

function isFor({ domain, isHostOnly, path, isSecure }: Cookie, url: SourceUrl): boolean {
  if (isSecure && url.scheme !== 'https') return false
  if (isHostOnly ? url.hostname !== domain : !isInDomain(url, domain)) return false
  const { pathname } = url
  return (
    pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'))
  )
}

/** RFC 6265 section 5.1.3. */
function isInDomain(url: SourceUrl, domain: string): boolean {
  return url.hostname === domain || (url.hostname.endsWith(`.${domain}`) && !isAddress(url))
}

function isSame(one: Cookie, other: Cookie): boolean {
  return one.name === other.name && one.domain === other.domain && one.path === other.path
}

/** The parts before and after the first separator, without spaces around them; the second is null without a separator. */
function splitAt(text: string, separator: string): [string, string | null] {
  const index = text.indexOf(separator)
  if (index === -1) return [text.trim(), null]
  return [text.slice(0, index).trim(), text.slice(index + 1).trim()]
}

/** All but the tab. */
const CONTROL = /[^\P{Cc}\t]/u

/** As many as servers may rely on (RFC 6265 section 6.1). */
const MAX_COOKIES = 50
const MAX_COOKIE_CHARACTERS = 4096
