import type { HostConnection } from '../connections/host-connection.ts'
import type { HostSources, ListedSource } from './listed-source.ts'

/** How to pack each source. */
export interface EachSource {
  /** Returns a connection that is not open yet. */
  readonly connect: () => HostConnection
  /** The source may use this connection, which may be open from the source before. */
  readonly pack: (source: ListedSource, connection: HostConnection) => Promise<void>
  /** Called with the error of each source that could not be packed. */
  readonly onError: (source: ListedSource, error: unknown) => void
  /** No further sources begin once it is aborted. */
  readonly signal: AbortSignal
  /** The most connections that one host ever gets. */
  readonly connectionsPerHost: number
}

/**
 * Packs each source. A list of thousands of URLs doesn't become thousands of promises, and a slow host doesn't delay the sources of
 * other hosts: each host has packers of its own, which take its sources in list order. The hosts get their packers in turn, and no
 * more than `MAX_PACKERS` of them run at once.
 */
export async function forEachSource(hosts: readonly HostSources[], each: EachSource): Promise<void> {
  const packersPerHost = Math.max(PACKERS_PER_CONNECTION * each.connectionsPerHost, MIN_PACKERS_PER_HOST)
  const turns = hostsInTurn(hosts, packersPerHost)
  const packInTurn = async () => {
    for (const remaining of turns) await packRemaining(remaining, each)
  }
  const sourceCount = hosts.reduce((sum, { count }) => sum + count, 0)
  await Promise.all(Array.from({ length: Math.min(sourceCount, MAX_PACKERS) }, packInTurn))
}

/** The sources of a host come once for each packer that the host may have. All its packers share them. */
function* hostsInTurn(
  hosts: readonly HostSources[],
  packersPerHost: number,
): Generator<Generator<ListedSource>> {
  let open: { readonly count: number; readonly remaining: Generator<ListedSource> }[] = []
  for (const host of hosts) {
    const { count } = host
    const remaining = host.sources()
    if (count > 1) open.push({ count, remaining })
    yield remaining
  }
  for (let packers = 1; packers < packersPerHost && open.length > 0; packers++) {
    for (const { remaining } of open) yield remaining
    open = open.filter(({ count }) => count > packers + 1)
  }
}

async function packRemaining(
  remaining: Generator<ListedSource>,
  { connect, pack, onError, signal }: EachSource,
): Promise<void> {
  using connection = connect()
  for (const source of remaining) {
    if (signal.aborted) return
    try {
      await pack(source, connection)
    } catch (error) {
      onError(source, error)
    }
  }
}

/** Sources that wait for their next attempt need no connection. */
const PACKERS_PER_CONNECTION = 2
/** Some sources of a host with few connections may wait while others are fetched. */
const MIN_PACKERS_PER_HOST = 64

/** Far more than there are connections, so that hosts that fail or ask for a wait hold up no others. Each takes some 5 KB. */
const MAX_PACKERS = 2000
