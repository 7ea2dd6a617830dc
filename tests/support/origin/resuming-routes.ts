import { expectedBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'
import type { OriginRequest } from './read-requests.ts'
import type { Route } from './route.ts'

const CHANGED = 'Wed, 05 Mar 2025 05:06:08 GMT'

/**
 * Sources whose file changes while it is fetched. Each path ends with its size. The first response has the first half of the body
 * with seed 1, the tag "1", a Last-Modified, and then breaks off. After that, the file has seed 2. A request for the rest gets what
 * the name of the source says; any other gets the whole new file.
 */
export const resumingRoutes: Readonly<Record<string, Route>> = {
  'rest-with-weak-tag': changing({ headers: { ETag: 'W/"2"' } }),
  'rest-with-weak-form-of-tag': changing({ headers: { ETag: 'W/"1"' } }),
  'rest-with-unquoted-tag': changing({ headers: { ETag: '2' } }),
  'rest-with-two-tags': changing({ headers: { ETag: '"1", "2"' } }),
  'rest-with-other-last-modified': changing({ headers: { 'Last-Modified': CHANGED } }),
  'rest-with-tag-and-other-last-modified': changing({ headers: { ETag: '"1"', 'Last-Modified': CHANGED } }),
  'rest-with-coding': changing({ headers: { ETag: '"1"', 'Content-Encoding': 'gzip' } }),
  'rest-of-longer-file': changing({ headers: { ETag: '"1"' }, extraBytes: 1000 }),
  'rest-with-shorter-length': changing({ headers: { ETag: '"1"' }, lengthError: -1 }),
  'rest-with-longer-length': changing({ headers: { ETag: '"1"' }, lengthError: 1 }),
  'rest-as-200': changing({ status: 200, headers: { ETag: '"1"' } }),

  /** The file stays as it is. The rest comes without any validator. */
  'rest-without-validators': (request, count, size) =>
    count === 1 ? firstHalf(Number(size)) : (restOf(request, Number(size), 1, {}) ?? whole(Number(size), 1)),

  /** `?to=A&then=B`: redirects to A at first, and to B later. */
  'redirect-elsewhere': ({ query }, count) => ({
    status: 302,
    headers: { Location: query.get(count === 1 ? 'to' : 'then') ?? '', 'Content-Length': '0' },
  }),
  /** The first half of seed 1, and then the connection ends. */
  'first-half': (_request, _count, size) => firstHalf(Number(size)),
  /** Seed 2 with the tag "1". Gives the rest of it to everyone who asks. */
  'same-tag': (request, _count, size) =>
    restOf(request, Number(size), 2, { ETag: '"1"' }) ?? whole(Number(size), 2),
}

interface Rest {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly extraBytes?: number
  /** By how much Content-Length differs from Content-Range. */
  readonly lengthError?: number
}

function changing({ status = 206, headers, extraBytes = 0, lengthError = 0 }: Rest): Route {
  return (request, count, size) => {
    if (count === 1) return firstHalf(Number(size))
    const sizeBytes = Number(size) + extraBytes
    const rest = restOf(request, sizeBytes, 2, headers)
    if (rest === null) return whole(sizeBytes, 2)
    const lengthBytes = Number(rest.headers?.['Content-Length']) + lengthError
    return { ...rest, status, headers: { ...rest.headers, 'Content-Length': String(lengthBytes) } }
  }
}

function firstHalf(sizeBytes: number): Reply {
  return {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(sizeBytes),
      ETag: '"1"',
      'Last-Modified': 'Tue, 04 Mar 2025 05:06:08 GMT',
    },
    body: [expectedBytes(sizeBytes, 1).slice(0, sizeBytes / 2)],
    ending: 'cut',
  }
}

function whole(sizeBytes: number, seed: number): Reply {
  return {
    headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(sizeBytes) },
    body: [expectedBytes(sizeBytes, seed)],
  }
}

/** What the request asks for by `Range`; null if nothing. */
function restOf(
  request: OriginRequest,
  sizeBytes: number,
  seed: number,
  headers: Readonly<Record<string, string>>,
): Reply | null {
  const [, start] = /^bytes=(\d+)-$/.exec(request.headers.get('range') ?? '') ?? []
  if (start === undefined) return null
  return {
    status: 206,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(sizeBytes - Number(start)),
      'Content-Range': `bytes ${start}-${sizeBytes - 1}/${sizeBytes}`,
      ...headers,
    },
    body: [expectedBytes(sizeBytes, seed).slice(Number(start))],
  }
}
