import type { HostConnection } from '../connections/host-connection.ts'
import type { HostSources, ListedSource } from './listed-source.ts'

/**
 * Runs `pack` for each source, at most `SOURCES_PER_HOST` at once per host, each host's sources in list order. A list of
 * thousands of URLs doesn't become thousands of promises, and a slow host doesn't delay the sources of other hosts.
 * @param connect returns a connection that is not open yet
 * @param pack the source may use this connection, which may be open from the source before
 * @param onError called with the error of each source that could not be packed
 * @param signal no further sources begin once it is aborted
 */
export async function forEachSource(
  hosts: readonly HostSources[],
  connect: () => HostConnection,
  pack: (source: ListedSource, connection: HostConnection) => Promise<void>,
  onError: (source: ListedSource, error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const packers = hosts.flatMap((host) => {
    // All packers of a host share one iterator, which ends for all when one of them leaves its loop.
    const remaining = host.sources()
    const packRemaining = async () => {
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
    return Array.from({ length: Math.min(host.count, SOURCES_PER_HOST) }, packRemaining)
  })
  await Promise.all(packers)
}

/** Twice the connections that a host may have: sources that wait for their next attempt need no connection. */
const SOURCES_PER_HOST = 64
