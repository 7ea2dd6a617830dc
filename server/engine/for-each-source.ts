import type { HostSources, ListedSource } from './listed-source.ts'

/**
 * Runs `pack` for each source, at most `SOURCES_PER_HOST` at once per host, each host's sources in list order. A list of
 * thousands of URLs doesn't become thousands of promises, and a slow host doesn't delay the sources of other hosts.
 * @param pack must not reject
 */
export async function forEachSource(
  hosts: readonly HostSources[],
  signal: AbortSignal,
  pack: (source: ListedSource) => Promise<void> | void,
): Promise<void> {
  const packers = hosts.flatMap((host) => {
    // All packers of a host share one iterator, which ends for all when one of them leaves its loop.
    const remaining = host.sources()
    const packRemaining = async () => {
      for (const source of remaining) {
        if (signal.aborted) return
        await pack(source)
      }
    }
    return Array.from({ length: Math.min(host.count, SOURCES_PER_HOST) }, packRemaining)
  })
  await Promise.all(packers)
}

/** Twice the connections that a host may have: sources that wait for their next attempt need no connection. */
const SOURCES_PER_HOST = 64
