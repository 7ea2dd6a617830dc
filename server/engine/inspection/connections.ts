import { createAddressGuard } from '../../fetching/addresses/guard.ts'
import { localAddresses } from '../../fetching/addresses/local-addresses.ts'
import { CheckedResolver } from '../../fetching/addresses/resolver.ts'
import type { FetchLimits } from '../../fetching/attempts/fetch-limits.ts'
import type { FetchSettings } from '../../fetching/fetch-settings.ts'
import type { FetchContext } from '../../fetching/fetch-url.ts'
import { type LoginOutcome, OriginHeaders, type SavedLogin } from '../../fetching/headers/origin-headers.ts'
import type { Http1Client } from '../../fetching/http1/client.ts'
import { isReachable } from '../../fetching/is-reachable.ts'
import { ProxyRoutes } from '../../fetching/proxies/proxy-routes.ts'
import { HostAvailability } from '../connections/host-availability.ts'
import { HostConnection } from '../connections/host-connection.ts'
import type { OpenLeaseChannel } from '../connections/lease.ts'
import { LeaseQueue } from '../connections/lease-queue.ts'
import { OutageWatch } from '../connections/outage-watch.ts'
import type { InspectionOrder } from './inspection.ts'

/** What an inspection needs from its process: connections, of which it gets the same share as a job. */
export interface InspectionEnvironment {
  readonly openLeaseChannel: OpenLeaseChannel
  /** The most connections that one host and port ever gets. */
  readonly connectionsPerHost: number
  readonly fetching: FetchSettings
  readonly client: Http1Client
  /** A clock in milliseconds that never jumps. */
  nowMs(): number
  /** Called when a proxy did this for the first time in the inspection: `cannot be reached`. */
  proxyFailed(proxy: string, problem: string): void
  /** As `JobRecorder.loginAnswered`. */
  loginAnswered?(login: SavedLogin, outcome: LoginOutcome): void
  readonly largePages: LargePages
}

/** Who may have a large page in memory. */
export interface LargePages {
  /**
   * Waits for a turn, which lasts until it is disposed of.
   * @param onRevoked called when the page must not arrive any longer, since others wait
   * @throws the signal's reason once it is aborted
   */
  acquire(signal: AbortSignal, onRevoked: () => void): Promise<Disposable>
}

/** What all fetches of an inspection share. */
export interface InspectionContext extends FetchContext, Disposable {
  readonly signal: AbortSignal
  readonly largePages: LargePages
  /** Returns a connection that is not open yet. */
  connect(): HostConnection
}

/** @param signal ends all that is fetched */
export function openInspectionContext(
  { network, originRules, cookies }: Pick<InspectionOrder, 'network' | 'originRules' | 'cookies'>,
  environment: InspectionEnvironment,
  signal: AbortSignal,
): InspectionContext {
  const { openLeaseChannel, connectionsPerHost, fetching, client, nowMs, largePages } = environment
  const limits = inspectionLimits(fetching.limits)
  const leases = new LeaseQueue(openLeaseChannel, connectionsPerHost, signal, nowMs)
  const availability = new HostAvailability(limits, {
    hostGivenUp() {},
    proxyFailed: (proxy, problem) => environment.proxyFailed(proxy, problem),
  })
  const proxies = new ProxyRoutes(fetching.proxies, signal)
  const resolver = new CheckedResolver(createAddressGuard(network, localAddresses), signal)
  const lookUp = async (host: string) => {
    if (proxies.forHost(host) === null) await resolver.lookUp(host)
  }
  const outages = new OutageWatch(
    (host) => proxies.isReachable(host) ?? isReachable(host, resolver, signal),
    limits,
    availability.now,
  )
  return {
    client,
    resolver,
    limits,
    proxies,
    originHeaders: new OriginHeaders(originRules, {
      cookies,
      onOutcome: (login, outcome) => environment.loginAnswered?.(login, outcome),
    }),
    signal,
    largePages,
    connect: () => new HostConnection(leases, availability, lookUp, outages, null),
    [Symbol.dispose]() {
      outages[Symbol.dispose]()
      leases[Symbol.dispose]()
    },
  }
}

/** A person waits: a second attempt tells enough, and a job will make more. */
function inspectionLimits(limits: FetchLimits): FetchLimits {
  const headersTimeoutMs = Math.min(limits.headersTimeoutMs, 30_000)
  return { ...limits, attempts: 2, headersTimeoutMs, fruitlessMs: headersTimeoutMs + 10_000 }
}
