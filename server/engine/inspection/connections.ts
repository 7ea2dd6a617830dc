import { createAddressGuard, type NetworkPolicy } from '../../fetching/addresses/guard.ts'
import { localAddresses } from '../../fetching/addresses/local-addresses.ts'
import { CheckedResolver } from '../../fetching/addresses/resolver.ts'
import { FETCH_LIMITS, type FetchLimits } from '../../fetching/fetch-limits.ts'
import type { FetchContext } from '../../fetching/fetch-url.ts'
import type { Http1Client } from '../../fetching/http1/client.ts'
import { isReachable } from '../../fetching/is-reachable.ts'
import { OriginHeaders, type OriginRules } from '../../fetching/origin-headers.ts'
import { HostAvailability } from '../connections/host-availability.ts'
import { HostConnection } from '../connections/host-connection.ts'
import type { OpenLeaseChannel } from '../connections/lease.ts'
import { LeaseQueue } from '../connections/lease-queue.ts'
import { OutageWatch } from '../connections/outage-watch.ts'

/** What an inspection needs from its process: connections, of which it gets the same share as a job. */
export interface InspectionEnvironment {
  readonly openLeaseChannel: OpenLeaseChannel
  /** The most connections that one host and port ever gets. */
  readonly connectionsPerHost: number
  readonly client: Http1Client
}

/** What all fetches of an inspection share. */
export interface InspectionContext extends FetchContext, Disposable {
  readonly signal: AbortSignal
  /** Returns a connection that is not open yet. */
  connect(): HostConnection
}

/** @param signal ends all that is fetched */
export function openInspectionContext(
  { network, originRules }: { readonly network: NetworkPolicy; readonly originRules: OriginRules },
  { openLeaseChannel, connectionsPerHost, client }: InspectionEnvironment,
  signal: AbortSignal,
): InspectionContext {
  const leases = new LeaseQueue(openLeaseChannel, connectionsPerHost, signal)
  const availability = new HostAvailability(INSPECTION_LIMITS, () => {})
  const resolver = new CheckedResolver(createAddressGuard(network, localAddresses), signal)
  const outages = new OutageWatch(
    (host) => isReachable(host, resolver, signal),
    INSPECTION_LIMITS,
    availability.now,
  )
  return {
    client,
    resolver,
    limits: INSPECTION_LIMITS,
    originHeaders: new OriginHeaders(originRules),
    signal,
    connect: () => new HostConnection(leases, availability, (host) => resolver.lookUp(host), outages, null),
    [Symbol.dispose]: () => outages[Symbol.dispose](),
  }
}

/** A person waits: a second attempt tells enough, and a job will make more. */
const INSPECTION_LIMITS: FetchLimits = {
  ...FETCH_LIMITS,
  attempts: 2,
  headersTimeoutMs: 30_000,
  fruitlessMs: 40_000,
}
