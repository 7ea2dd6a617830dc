import { hostKey } from '../fetching/fetch-url.ts'
import type { Source } from './job-order.ts'

/**
 * Takes up the sources in their order, so many of each host at once: a list of thousands stays a list until its
 * turn comes, and a host that keeps its own waiting holds up nobody else's.
 * @param pack must not reject
 */
export async function byHost(
  sources: readonly Source[],
  signal: AbortSignal,
  pack: (source: Source, position: number) => Promise<void>,
): Promise<void> {
  const lanes = linesOf(sources).flatMap((line) => {
    const places = line.values()
    const lane = async () => {
      for (const [position, source] of places) {
        if (signal.aborted) return
        await pack(source, position)
      }
    }
    return Array.from({ length: Math.min(line.length, SOURCES_PER_HOST) }, lane)
  })
  await Promise.all(lanes)
}

type Line = (readonly [position: number, source: Source])[]

function linesOf(sources: readonly Source[]): Line[] {
  const lines = new Map<string, Line>()
  for (const place of sources.entries()) {
    const url = URL.parse(place[1].url)
    const host = url === null ? '' : hostKey(url)
    const line = lines.get(host)
    if (line === undefined) lines.set(host, [place])
    else line.push(place)
  }
  return [...lines.values()]
}

/** As many again as a host may have connections: those that wait for their next attempt need none. */
const SOURCES_PER_HOST = 64
