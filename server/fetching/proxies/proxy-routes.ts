// server/decisions/proxies.md says whose fault a failure is, and why.

import { formatHostPort } from '../../text/host-port.ts'
import type { AddressGuard } from '../addresses/guard.ts'
import { CheckedResolver } from '../addresses/resolver.ts'
import { classifyNetworkError, FetchFailure } from '../attempts/fetch-failure.ts'
import { ProxyFailure } from '../http1/failure.ts'
import { isReachable } from '../is-reachable.ts'
import { bareHostname } from '../request.ts'
import type { SourceUrl } from '../source-url.ts'
import { isExempt } from './no-proxy.ts'
import type { HttpProxy, ProxySettings } from './proxy.ts'

/** The proxies of a job, and the addresses by which they are reached. */
export class ProxyRoutes {
  readonly #settings: ProxySettings
  readonly #signal: AbortSignal
  readonly #resolver: CheckedResolver

  /** @param signal aborts running look-ups, with its reason */
  constructor(settings: ProxySettings, signal: AbortSignal) {
    this.#settings = settings
    this.#signal = signal
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
   * The proxy that requests to this host (`name:port`) may need, with some scheme; null for none. The proxy looks up its name: a
   * company's own name servers may not know it.
   */
  forHost(host: string): HttpProxy | null {
    const { http, https, exempt } = this.#settings
    const proxy = https ?? http
    if (proxy === null) return null
    const end = host.lastIndexOf(':')
    const name = host.slice(0, end).replace(/^\[|\]$/g, '')
    return isExempt(exempt, name, Number(host.slice(end + 1))) ? null : proxy
  }

  /** Whether the proxy for this host (`name:port`) can be connected to at this time; null without a proxy. Never rejects. */
  isReachable(host: string): Promise<boolean> | null {
    const proxy = this.forHost(host)
    if (proxy === null) return null
    return isReachable(formatHostPort(proxy.hostname, proxy.port), this.#resolver, this.#signal)
  }
}

/** Whoever runs Holdall has named the proxy, so that its address needs no permission. */
const OF_OPERATOR: Pick<AddressGuard, 'checkAll'> = { checkAll: () => 'allowed' }
