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
import type { JobOrder } from '../job-order.ts'
import { type AvailabilityListener, HostAvailability } from './host-availability.ts'
import { HostConnection } from './host-connection.ts'
import type { OpenLeaseChannel } from './lease.ts'
import { LeaseQueue } from './lease-queue.ts'
import { OutageWatch } from './outage-watch.ts'

/** What connections to sources need from their process. Proxies that fail, and hosts that are given up, are told for its log. */
export interface ConnectionsEnvironment extends AvailabilityListener {
  readonly openLeaseChannel: OpenLeaseChannel
  /** The most connections that one host and port ever gets. */
  readonly connectionsPerHost: number
  readonly fetching: FetchSettings
  /** Keeps connections for the next job of the thread: ten small files take less time than ten connections. */
  readonly client: Http1Client
  /** A clock in milliseconds that never jumps. The rates of hosts are measured by it. */
  nowMs(): number
  /** As `JobRecorder.loginAnswered`. */
  loginAnswered?(login: SavedLogin, outcome: LoginOutcome): void
}

/** What leads a job or an inspection to its sources. */
export interface Connections extends Disposable {
  /** What all its fetches share. */
  readonly fetchContext: FetchContext
  /** Returns a connection that is not open yet. */
  connect(): HostConnection
}

/**
 * Runs in the thread of the job. Makes what leads to the sources of a job or of an inspection: who waits for which connection, which
 * hosts respond, which addresses may be reached, which proxies serve, and what each origin gets from its users.
 * @param limits by default as the settings say
 * @param signal aborted when the job ends
 * @param readerCount how many clients download the archive now
 */
export function openConnections(
  { network, originRules, cookies }: Pick<JobOrder, 'network' | 'originRules' | 'cookies'>,
  environment: ConnectionsEnvironment,
  {
    signal,
    limits = environment.fetching.limits,
    readerCount = () => 0,
  }: { signal: AbortSignal; limits?: FetchLimits; readerCount?: () => number },
): Connections {
  const { openLeaseChannel, connectionsPerHost, client, fetching } = environment
  const nowMs = () => environment.nowMs()
  const leases = new LeaseQueue(openLeaseChannel, connectionsPerHost, signal, nowMs, readerCount)
  const availability = new HostAvailability(limits, environment)
  const resolver = new CheckedResolver(createAddressGuard(network, localAddresses), signal)
  const proxies = new ProxyRoutes(fetching.proxies, signal)
  const lookUp = async (host: string) => {
    if (proxies.forHost(host) === null) await resolver.lookUp(host)
  }
  const probe = (host: string) => proxies.isReachable(host) ?? isReachable(host, resolver, signal)
  const outages = new OutageWatch(probe, limits, availability.now)
  const originHeaders = new OriginHeaders(originRules, {
    cookies,
    onOutcome: (login, outcome) => environment.loginAnswered?.(login, outcome),
  })
  return {
    fetchContext: { client, limits, proxies, resolver, originHeaders },
    connect: () => new HostConnection(leases, availability, lookUp, outages, null),
    [Symbol.dispose]() {
      outages[Symbol.dispose]()
      leases[Symbol.dispose]()
    },
  }
}
