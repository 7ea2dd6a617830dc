// server/decisions/sites.md says where a login is sent, and why not further.

import { isAddress, parseSourceUrl, type SourceUrl } from '../source-url.ts'
import type { Header } from './allowed-headers.ts'
import { type Cookie, joinCookies } from './cookies.ts'
import { SavedCookies } from './saved-cookies.ts'

/** Headers that one origin gets. Plain values, so that a job's thread can be sent them. */
export interface OriginRule {
  /** Scheme, host and port, as `parseOrigin` returns it. */
  readonly origin: string
  /** Whether the hosts below it get them, too, by the same scheme and at the same port. */
  readonly includeSubdomains: boolean
  /** Of the requests to this origin, only those for this source get them. Left out: those for all sources. */
  readonly source?: string
  readonly headers: readonly Header[]
  /** The saved login that the headers are from; null if they are not saved. */
  readonly login: SavedLogin | null
}

/** What an entry says about a login that its source has refused. */
export interface SavedLogin {
  readonly id: string
  /** As its owner calls it. */
  readonly name: string
}

/**
 * The rules of a job in groups: the job's own, its user's, those that the user shares with others. An earlier group goes before a
 * later one. In a group the newest rule comes first.
 */
export type OriginRules = readonly (readonly OriginRule[])[]

/** A header for one request, its name in lower case. */
export interface GivenHeader extends Header {
  readonly login: SavedLogin | null
}

/** What a source made of a saved login. `used`: neither accepted nor refused, such as a redirect. */
export type LoginOutcome = 'used' | 'accepted' | 'refused'

/**
 * Which headers each origin gets from its users, such as a login. No other origin ever gets them: ask for each hop anew.
 */
export class OriginHeaders {
  readonly #groups: readonly RuleGroup[]
  readonly #cookies: SavedCookies
  readonly #onOutcome: (login: SavedLogin, outcome: LoginOutcome) => void
  readonly #outcomes = new Map<string, LoginOutcome>()

  constructor(rules: OriginRules, { cookies = [], onOutcome = () => {} }: OriginHeadersOptions = {}) {
    this.#groups = rules.filter((group) => group.length > 0).map(groupOf)
    this.#cookies = new SavedCookies(cookies)
    this.#onOutcome = onOutcome
  }

  /**
   * The headers for a request to this URL, each name once: an earlier group goes first; in a group a rule for one source before one
   * for exactly this origin, this before one for a domain, then the newer one. Saved cookies join those of a rule, which replace
   * saved ones of the same name.
   * @param source the URL that the request is for, before all redirects
   */
  for(url: SourceUrl, source: SourceUrl, nowMs: number): readonly GivenHeader[] {
    const given = new Map<string, GivenHeader>()
    const key = originKey(url)
    for (const { ofSources, ofOrigins, ofDomains } of this.#groups) {
      const ofSource = ofSources.get(source.href)?.filter((rule) => originKey(rule.url) === key) ?? []
      const ofDomain = ofDomains.filter((rule) => isBelow(rule, url))
      for (const { headers, login } of [...ofSource, ...(ofOrigins.get(key) ?? []), ...ofDomain]) {
        for (const { name, value } of headers) {
          const key = name.toLowerCase()
          if (!given.has(key)) given.set(key, { name: key, value, login })
        }
      }
    }
    const cookie = this.#cookies.headerFor(url, nowMs)
    if (cookie !== null) {
      const { value = null, login = null } = given.get('cookie') ?? {}
      given.set('cookie', { name: 'cookie', value: joinCookies(cookie, value) ?? cookie, login })
    }
    return [...given.values()]
  }

  /** Reports what a source has answered to a request with these headers. */
  answered(given: readonly GivenHeader[], status: number): void {
    const outcome = outcomeOf(status)
    for (const login of loginsOf(given)) {
      const known = this.#outcomes.get(login.id)
      if (known !== undefined && RANK[known] >= RANK[outcome]) continue
      this.#outcomes.set(login.id, outcome)
      this.#onOutcome(login, outcome)
    }
  }
}

export interface OriginHeadersOptions {
  /** Cookies that are sent by their own rules. */
  readonly cookies?: readonly Cookie[]
  /** Called when a login was used for the first time, and when the first source accepts or refuses it. */
  readonly onOutcome?: (login: SavedLogin, outcome: LoginOutcome) => void
}

/** The saved logins that headers are from, each once. */
export function loginsOf(given: readonly GivenHeader[]): readonly SavedLogin[] {
  return [...new Set(given.flatMap(({ login }) => (login === null ? [] : [login])))]
}

/**
 * The origin of a text such as `https://Example.org:443/`, as `https://example.org`. Null if it is none, or says more: a path, a
 * query or user information.
 */
export function parseOrigin(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname.includes('*')) return null
  return url.href === `${url.origin}/` && !/[?#@]/.test(text) ? url.origin : null
}

/** Whether an origin can have subdomains that are its own: an address has none, and those of a name like `com` are others'. */
export function hasSubdomains(origin: string): boolean {
  const url = parseSourceUrl(origin)
  return !isAddress(url) && /[^.]\.[^.]/.test(url.hostname)
}

interface ParsedRule extends OriginRule {
  readonly url: SourceUrl
}

/** The rules of a group by what they are for, since a list may have thousands of origins. */
interface RuleGroup {
  readonly ofSources: ReadonlyMap<string, readonly ParsedRule[]>
  readonly ofOrigins: ReadonlyMap<string, readonly ParsedRule[]>
  readonly ofDomains: readonly ParsedRule[]
}

function groupOf(group: readonly OriginRule[]): RuleGroup {
  const rules = group.map((rule) => ({ ...rule, url: parseSourceUrl(rule.origin) }))
  const ofAll = rules.filter(({ source }) => source === undefined)
  return {
    ofSources: Map.groupBy(
      rules.filter(({ source }) => source !== undefined),
      ({ source = '' }) => parseSourceUrl(source).href,
    ),
    ofOrigins: Map.groupBy(ofAll, ({ url }) => originKey(url)),
    ofDomains: ofAll.filter(({ includeSubdomains }) => includeSubdomains),
  }
}

/** The same text for the same origin (RFC 6454 section 5). */
function originKey({ scheme, hostKey }: SourceUrl): string {
  return `${scheme}://${hostKey}`
}

function isBelow({ origin, url: { scheme, hostname, port } }: ParsedRule, url: SourceUrl) {
  if (scheme !== url.scheme || port !== url.port || isAddress(url)) return false
  return url.hostname.endsWith(`.${hostname}`) && hasSubdomains(origin)
}

function outcomeOf(status: number): LoginOutcome {
  if (isRefusal(status)) return 'refused'
  return (status >= 200 && status < 300) || status === 304 ? 'accepted' : 'used'
}

/** RFC 9110 sections 15.5.2 and 15.5.4. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403
}

const RANK: Readonly<Record<LoginOutcome, number>> = { used: 0, accepted: 1, refused: 2 }
