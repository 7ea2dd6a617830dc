import { createGzip } from 'node:zlib'
import { listOfBehaviours } from './behaviours.ts'
import { bytesReply } from './bytes-route.ts'
import { codingRoutes } from './coding-routes.ts'
import { deterministicBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'
import { openLimitedRoutes } from './limited-routes.ts'
import { loginRoutes } from './login-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { partialRoutes } from './partial-routes.ts'
import { rawRoutes } from './raw-routes.ts'
import type { OriginRequest } from './read-requests.ts'
import { redirectRoutes } from './redirect-routes.ts'
import { resumingRoutes } from './resuming-routes.ts'
import type { Route } from './route.ts'
import { samples } from './samples.ts'
import { unchangedRoutes } from './unchanged-routes.ts'

/**
 * Responds by the first path segment; `/` lists the behaviours by name. `count` is the number of requests for this URL so far,
 * including this one.
 *
 * Every route also accepts `delay_ms`, the latency before the headers, `gate`, the name of a gate that the test opens before them,
 * and `fail=N`: the first N requests fail with `fail_status` (503 by default) and `retry_after`.
 * @param opened resolves when the gate of this name is open
 */
export function openRouter(
  opened: (gate: string) => Promise<void>,
): (request: OriginRequest, count: number) => Promise<Reply> {
  const all = { ...routes, ...openLimitedRoutes() }
  return async (request, count) => {
    const { query } = request
    const delayMs = Number(query.get('delay_ms') ?? 0)
    if (delayMs > 0) await Bun.sleep(delayMs)
    const gate = query.get('gate')
    if (gate !== null) await opened(gate)
    if (count <= Number(query.get('fail') ?? 0)) return failure(query)
    const [, first = '', rest = ''] = request.path.split('/')
    return await (all[first] ?? notFound)(request, count, decodeURIComponent(rest))
  }
}

const routes: Readonly<Record<string, Route>> = {
  '': ({ headers }, count) => textReply(200, listOfBehaviours(`http://${headers.get('host')}`, count)),
  ...codingRoutes,
  ...loginRoutes,
  ...pageRoutes,
  ...partialRoutes,
  ...rawRoutes,
  ...redirectRoutes,
  ...resumingRoutes,
  ...unchangedRoutes,
  bytes: (request, count) => bytesReply(request, count),
  files: (_request, _count, name) => sampleReply(name),
  status: (_request, _count, status) => textReply(Number(status), `Status ${status}\n`),
  /** `/redirect/3?to=/x`: three redirects, of which the last leads to `to`. That may have another origin or scheme. */
  redirect: ({ query }, _count, hops) => redirectReply(Number(hops), query),
  'redirect-loop': ({ target }) => ({ status: 302, headers: { Location: target, 'Content-Length': '0' } }),
  /** `/gzip-bomb/<size>`: zeros, compressed to a thousandth of their size. */
  'gzip-bomb': (_request, _count, size) => gzipBombReply(Number(size)),
  /** Reads the request and never responds. */
  silent: () => ({ garbage: new Uint8Array(), ending: 'stall' }),
  /** A chunked body that never ends. */
  endless: () => ({ framing: 'chunked', body: deterministicBytes(Number.MAX_SAFE_INTEGER) }),
  garbage: () => ({ garbage: new TextEncoder().encode('\x00\x01 this is not HTTP \xff\r\n\r\n') }),
}

const notFound: Route = () => textReply(404, 'Nothing here\n')

function textReply(status: number, text: string): Reply {
  const body = new TextEncoder().encode(text)
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': String(body.length) }
  return status === 204 || status === 304 ? { status } : { status, headers, body: [body] }
}

function failure(query: URLSearchParams): Reply {
  const reply = textReply(Number(query.get('fail_status') ?? 503), 'Not now\n')
  const retryAfter = query.get('retry_after')
  return retryAfter === null ? reply : { ...reply, headers: { ...reply.headers, 'Retry-After': retryAfter } }
}

function sampleReply(name: string): Reply {
  const sample = samples.find((file) => file.name === name)
  if (sample === undefined) return textReply(404, 'Nothing here\n')
  const { type, bytes } = sample
  return { headers: { 'Content-Type': type, 'Content-Length': String(bytes.length) }, body: [bytes] }
}

function redirectReply(hops: number, query: URLSearchParams): Reply {
  const to = query.get('to') ?? '/bytes/1000'
  const location = hops <= 1 ? to : `/redirect/${hops - 1}?to=${encodeURIComponent(to)}`
  return {
    status: Number(query.get('status') ?? 302),
    headers: { Location: location, 'Content-Length': '0' },
  }
}

function gzipBombReply(sizeBytes: number): Reply {
  return {
    headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' },
    framing: 'chunked',
    body: gzippedZeros(sizeBytes),
  }
}

async function* gzippedZeros(sizeBytes: number): AsyncGenerator<Uint8Array> {
  const gzip = createGzip()
  const zeros = new Uint8Array(1024 * 1024)
  const feed = (left: number): void => {
    if (left <= 0) gzip.end()
    else gzip.write(zeros.subarray(0, left), () => feed(left - zeros.length))
  }
  feed(sizeBytes)
  for await (const part of gzip) yield part
}
