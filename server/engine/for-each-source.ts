import { hostKey } from '../fetching/fetch-url.ts'
import type { Source } from './job-order.ts'

/**
 * Runs `pack` for each source, at most `SOURCES_PER_HOST` at once per host, each host's sources in list order. A list of
 * thousands of URLs doesn't become thousands of promises, and a slow host doesn't delay the sources of other hosts.
 * @param pack must not reject
 */
export async function forEachSource(
  sources: readonly Source[],
  signal: AbortSignal,
  pack: (source: Source, position: number) => Promise<void>,
): Promise<void> {
  const packers = groupByHost(sources).flatMap((group) => {
    // All packers of a host share one iterator.
    const remaining = group.values()
    const packRemaining = async () => {
      for (const [position, source] of remaining) {
        if (signal.aborted) return
        await pack(source, position)
      }
    }
    return Array.from({ length: Math.min(group.length, SOURCES_PER_HOST) }, packRemaining)
  })
  await Promise.all(packers)
}

type SourceGroup = (readonly [position: number, source: Source])[]

function groupByHost(sources: readonly Source[]): SourceGroup[] {
  const groups = new Map<string, SourceGroup>()
  for (const positioned of sources.entries()) {
    const url = URL.parse(positioned[1].url)
    const host = url === null ? '' : hostKey(url)
    const group = groups.get(host)
    if (group === undefined) groups.set(host, [positioned])
    else group.push(positioned)
  }
  return [...groups.values()]
}

/** Twice the connections that a host may have: sources that wait for their next attempt need no connection. */
const SOURCES_PER_HOST = 64
