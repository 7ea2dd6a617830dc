import { isAddress, type SourceUrl } from '../source-url.ts'
import { type Cookie, cookieHeader } from './cookies.ts'

/** The cookies of a browser, which may be thousands: those for one host are found by its name and the names above it. */
export class SavedCookies {
  readonly #byDomain = new Map<string, Cookie[]>()

  constructor(cookies: readonly Cookie[]) {
    for (const cookie of cookies) {
      const known = this.#byDomain.get(cookie.domain)
      if (known === undefined) this.#byDomain.set(cookie.domain, [cookie])
      else known.push(cookie)
    }
  }

  /** The value of `Cookie` in a request to this URL; null for none. */
  headerFor(url: SourceUrl, nowMs: number): string | null {
    if (this.#byDomain.size === 0) return null
    const domains = isAddress(url) ? [url.hostname] : withParents(url.hostname)
    const cookies = domains.flatMap((domain) => this.#byDomain.get(domain) ?? [])
    return cookieHeader(cookies, url, nowMs)
  }
}

/** `a.example.org`, `example.org`, `org`. */
function withParents(hostname: string): string[] {
  const labels = hostname.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
