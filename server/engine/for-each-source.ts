import type { ListedSource } from './listed-source.ts'

/**
 * Runs `pack` for each source, at most `SOURCES_PER_HOST` at once per host, each host's sources in list order. A list of
 * thousands of URLs doesn't become thousands of promises, and a slow host doesn't delay the sources of other hosts.
 * @param groups the sources of each host
 * @param pack must not reject
 */
export async function forEachSource(
  groups: readonly (readonly ListedSource[])[],
  signal: AbortSignal,
  pack: (source: ListedSource) => Promise<void>,
): Promise<void> {
  const packers = groups.flatMap((group) => {
    // All packers of a host share one iterator.
    const remaining = group.values()
    const packRemaining = async () => {
      for (const source of remaining) {
        if (signal.aborted) return
        await pack(source)
      }
    }
    return Array.from({ length: Math.min(group.length, SOURCES_PER_HOST) }, packRemaining)
  })
  await Promise.all(packers)
}

/** Twice the connections that a host may have: sources that wait for their next attempt need no connection. */
const SOURCES_PER_HOST = 64
