import type { AddressGuard } from '../addresses/guard.ts'
import { CheckedResolver } from '../addresses/resolver.ts'
import { classifyNetworkError, FetchFailure } from '../fetch-failure.ts'
import { ProxyFailure } from '../http1/failure.ts'
import { bareHostname } from '../request.ts'
import type { SourceUrl } from '../source-url.ts'
import { isExempt } from './no-proxy.ts'
import type { HttpProxy } from './proxy.ts'

/** Which proxy serves which URLs. */
export interface ProxySettings {
  /** For URLs with `http` and with `https`; null for none. */
  readonly http: HttpProxy | null
  readonly https: HttpProxy | null
  /** Hosts that are reached without a proxy, as `isExempt` reads them. */
  readonly exempt: string
}

export const NO_PROXIES: ProxySettings = { http: null, https: null, exempt: '' }

/** The proxies of a job, and the addresses by which they are reached. */
export class ProxyRoutes {
  readonly #settings: ProxySettings
  readonly #resolver: CheckedResolver

  /** @param signal aborts running look-ups, with its reason */
  constructor(settings: ProxySettings, signal: AbortSignal) {
    this.#settings = settings
    this.#resolver = new CheckedResolver(OF_OPERATOR, signal)
  }

  /** The proxy for the requests to this URL; null if they go to the host itself. */
  for(url: SourceUrl): HttpProxy | null {
    const proxy = this.#settings[url.scheme]
    const isDirect = proxy === null || isExempt(this.#settings.exempt, bareHostname(url), url.port)
    return isDirect ? null : proxy
  }

  /**
   * Waits until the name of the proxy for this URL was looked up.
   * @throws FetchFailure `Connection failed`
   */
  async addressesOf({ hostname, port }: HttpProxy): Promise<readonly string[]> {
    try {
      return await this.#resolver.resolve(hostname, port)
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      const facts = { concernsAll: true, isTemporary: error.retryable, cause: error }
      throw classifyNetworkError(new ProxyFailure('proxy-failed', 'cannot be found by its name', facts))
    }
  }

  /**
   * Whether requests to this host (`name:port`) may need a proxy, which then looks up its name: a company's own name servers may not
   * know it.
   */
  mayProxy(host: string): boolean {
    const { http, https, exempt } = this.#settings
    if (http === null && https === null) return false
    const end = host.lastIndexOf(':')
    return !isExempt(exempt, host.slice(0, end).replace(/^\[|\]$/g, ''), Number(host.slice(end + 1)))
  }
}

/** Whoever runs Holdall has named the proxy, so that its address needs no permission. */
const OF_OPERATOR: Pick<AddressGuard, 'checkAll'> = { checkAll: () => 'allowed' }
