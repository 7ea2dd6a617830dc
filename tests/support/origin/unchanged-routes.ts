import { expectedBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'
import type { OriginRequest } from './read-requests.ts'
import type { Route } from './route.ts'

const FIRST = 'Tue, 04 Mar 2025 05:06:08 GMT'
const SECOND = 'Wed, 05 Mar 2025 05:06:08 GMT'

/**
 * Sources whose file changes after the first request, from seed 1 to seed 2, and which answer 304 to whoever asks whether it has.
 * Each path ends with its size.
 */
export const unchangedRoutes: Readonly<Record<string, Route>> = {
  '304-with-other-tag': wrongly304({ ETag: '"1"' }, { ETag: '"2"' }),
  '304-with-other-last-modified': wrongly304({ 'Last-Modified': FIRST }, { 'Last-Modified': SECOND }),
  /** The 304 leaves the tag out. */
  '304-without-tag-with-other-last-modified': wrongly304(
    { ETag: '"1"', 'Last-Modified': FIRST },
    { 'Last-Modified': SECOND },
  ),
  /** Both versions are of one second, a minute ago at most. */
  'changed-twice-in-a-second': (...request) => wrongly304({ 'Last-Modified': recent() }, {})(...request),
  /** As nginx makes tags: of the time in seconds, and the size. */
  'changed-twice-with-tag-of-time': (...request) => {
    const time = recent()
    const seconds = Date.parse(time) / 1000
    return wrongly304({ 'Last-Modified': time, ETag: `"${seconds.toString(16)}-4e20"` }, {})(...request)
  },
}

function recent(): string {
  return new Date(Date.now() - 1000).toUTCString()
}

/**
 * @param first headers of the file
 * @param unchanged headers of the 304
 */
function wrongly304(
  first: Readonly<Record<string, string>>,
  unchanged: Readonly<Record<string, string>>,
): Route {
  return (request, count, size) => {
    if (isConditional(request)) return { status: 304, headers: unchanged }
    return whole(Number(size), count === 1 ? 1 : 2, first)
  }
}

function isConditional({ headers }: OriginRequest): boolean {
  return headers.has('if-none-match') || headers.has('if-modified-since')
}

function whole(sizeBytes: number, seed: number, headers: Readonly<Record<string, string>>): Reply {
  return {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(sizeBytes),
      ...headers,
    },
    body: [expectedBytes(sizeBytes, seed)],
  }
}
