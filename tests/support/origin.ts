import { type HttpServer, startHttpServer } from './origin/http-server.ts'
import type { OriginRequest } from './origin/read-requests.ts'
import { openRouter } from './origin/routes.ts'

export { behaviours } from './origin/behaviours.ts'
export { expectedBytes, expectedSha256 } from './origin/deterministic-bytes.ts'
export { samples } from './origin/samples.ts'
export { sha256 } from './sha256.ts'

/** A web server on this machine that behaves as well or as badly as a URL asks for; see `origin/routes.ts`. */
export interface Origin extends AsyncDisposable {
  /** The absolute URL of a path and query. */
  url(pathAndQuery: string): string
  /** The same at another loopback address, for tests with many hosts. The origin must listen at `0.0.0.0`. */
  urlAtHost(host: number, pathAndQuery: string): string
  /** Answers all requests with `gate=NAME` in the query, also later ones. Until then, they wait. */
  open(gate: string): void
  /** The requests for a path, oldest first. Without a query, `pathAndQuery` matches all queries. */
  requests(pathAndQuery: string): readonly OriginRequest[]
  requestCount(): number
  /** The number of bytes sent so far, including headers and bodies sent again. */
  sentBytes(): number
  peakConcurrentRequests(): number
}

/**
 * @param address `0.0.0.0` listens at all loopback addresses; connections from other machines are closed
 * @param port the system chooses it by default
 */
export async function startOrigin(address: '127.0.0.1' | '0.0.0.0' = '127.0.0.1', port = 0): Promise<Origin> {
  const byTarget = new Map<string, OriginRequest[]>()
  const gates = openGates()
  const route = openRouter(gates.opened)
  const server: HttpServer = await startHttpServer(
    (request) => {
      const seen = byTarget.get(request.target) ?? []
      byTarget.set(request.target, seen)
      return route(request, seen.push(request))
    },
    address,
    port,
  )
  const all = () => [...byTarget.values()].flat()
  return {
    url: (pathAndQuery) => `http://127.0.0.1:${server.port}${pathAndQuery}`,
    urlAtHost: (host, pathAndQuery) =>
      `http://127.${1 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}:${server.port}${pathAndQuery}`,
    open: gates.open,
    requests: (pathAndQuery) =>
      all().filter(({ target, path }) => (pathAndQuery.includes('?') ? target : path) === pathAndQuery),
    requestCount: () => all().length,
    sentBytes: () => server.sentBytes(),
    peakConcurrentRequests: () => server.peakConcurrentRequests(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function openGates() {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gateOf = (name: string) => {
    const gate = gates.get(name) ?? Promise.withResolvers<void>()
    gates.set(name, gate)
    return gate
  }
  return {
    opened: (name: string) => gateOf(name).promise,
    open: (name: string) => gateOf(name).resolve(),
  }
}

/** A URL where nothing listens: the system never chooses port 1 for a server. */
export function refusedUrl(path = '/nothing'): string {
  return `http://127.0.0.1:1${path}`
}
