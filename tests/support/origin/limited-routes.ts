import { expectedBytes } from './deterministic-bytes.ts'
import type { Reply } from './http-server.ts'
import type { OriginRequest } from './read-requests.ts'
import type { Route } from './route.ts'

/**
 * Sources of hosts that limit their clients. All requests with the same `run` in the query count together, as those to one host.
 * `?status=429&retry_after=1` selects how a host refuses; `status=close` closes the connection without a response.
 */
export function openLimitedRoutes(): Readonly<Record<string, Route>> {
  const buckets = new Map<string, Bucket>()
  const busy = new Map<string, number>()
  return {
    /** `/rate-limited/10`: so many requests in a second, and as many in advance. */
    'rate-limited': (request, _count, rest) => {
      const perSecond = Number(rest)
      const key = `${rest} ${request.query.get('run')}`
      const bucket = buckets.get(key) ?? { tokens: perSecond, atMs: performance.now() }
      buckets.set(key, bucket)
      const nowMs = performance.now()
      bucket.tokens = Math.min(perSecond, bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / 1000)
      bucket.atMs = nowMs
      if (bucket.tokens < 1) return refusal(request)
      bucket.tokens -= 1
      return file([expectedBytes(BODY_BYTES)])
    },
    /** `/at-once/2`: so many requests at once. Each takes a fifth of a second. */
    'at-once': (request, _count, rest) => {
      const key = `${rest} ${request.query.get('run')}`
      const count = busy.get(key) ?? 0
      if (count >= Number(rest)) return refusal(request)
      busy.set(key, count + 1)
      return file(slowBody(() => busy.set(key, (busy.get(key) ?? 1) - 1)))
    },
  }
}

interface Bucket {
  tokens: number
  atMs: number
}

const BODY_BYTES = 10_000

function file(body: Reply['body'] & {}): Reply {
  return { headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': `${BODY_BYTES}` }, body }
}

async function* slowBody(onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    await Bun.sleep(200)
    yield expectedBytes(BODY_BYTES)
  } finally {
    onEnd()
  }
}

function refusal({ query }: OriginRequest): Reply {
  const status = query.get('status') ?? '429'
  if (status === 'close') return { garbage: new Uint8Array() }
  const retryAfter = query.get('retry_after')
  return {
    status: Number(status),
    headers: { 'Content-Length': '0', ...(retryAfter !== null && { 'Retry-After': retryAfter }) },
  }
}
