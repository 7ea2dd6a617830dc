import { type HttpServer, startHttpServer } from './origin/http-server.ts'
import type { OriginRequest } from './origin/read-requests.ts'
import { route } from './origin/routes.ts'

export { expectedBytes, expectedSha256, sha256 } from './origin/deterministic-bytes.ts'
export { samples } from './origin/samples.ts'

/** A source of files on this machine that does all that the sources of the world do; see `origin/routes.ts`. */
export interface Origin extends AsyncDisposable {
  /** Absolute URL of a path and query. */
  url(pathAndQuery: string): string
  /** The same at another loopback address: as many hosts as one wants. Only where the origin has been started for it. */
  urlAtHost(host: number, pathAndQuery: string): string
  /** The requests seen for a path, with or without its query, oldest first. */
  requests(pathAndQuery: string): readonly OriginRequest[]
  requestCount(): number
  /** Bytes sent in all, heads and what was repeated included. */
  sentBytes(): number
  peakConcurrentRequests(): number
}

/** @param address `0.0.0.0` listens at all loopback addresses; who comes from elsewhere is turned away */
export async function startOrigin(address: '127.0.0.1' | '0.0.0.0' = '127.0.0.1'): Promise<Origin> {
  const byTarget = new Map<string, OriginRequest[]>()
  const server: HttpServer = await startHttpServer((request) => {
    const seen = byTarget.get(request.target) ?? []
    byTarget.set(request.target, seen)
    return route(request, seen.push(request))
  }, address)
  const all = () => [...byTarget.values()].flat()
  return {
    url: (pathAndQuery) => `http://127.0.0.1:${server.port}${pathAndQuery}`,
    urlAtHost: (host, pathAndQuery) =>
      `http://127.${1 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}:${server.port}${pathAndQuery}`,
    requests: (wanted) =>
      all().filter(({ target, path }) => (wanted.includes('?') ? target : path) === wanted),
    requestCount: () => all().length,
    sentBytes: () => server.sentBytes(),
    peakConcurrentRequests: () => server.peakConcurrentRequests(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** A URL where nothing listens: port 1 is below those that a system gives out by itself. */
export function refusedUrl(path = '/nothing'): string {
  return `http://127.0.0.1:1${path}`
}
