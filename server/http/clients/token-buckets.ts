import type { Clock } from '../../time/clock.ts'

/** The state of a bucket after a request. */
export interface Allowance {
  readonly allowed: boolean
  /** Whole requests that may follow at once. */
  readonly remaining: number
  /** Seconds until the next request is allowed; 0 when it is allowed now. */
  readonly retryAfterSeconds: number
  /** Seconds until the bucket is full again. */
  readonly fullAfterSeconds: number
}

export interface TokenBuckets {
  readonly perMinute: number
  /** Takes one request from the bucket of `id`. */
  take(id: string): Allowance
}

/**
 * The most buckets, about 100 bytes each. Beyond this number, the least recently used bucket is dropped, because it is the
 * most likely to be full again.
 */
export const MAX_BUCKETS = 50_000

/** The limit on the requests of keys, which may change: null while it is 0. All keys begin anew with another limit. */
export function openRequestLimit(perMinuteNow: () => number, clock: Clock): () => TokenBuckets | null {
  let buckets: TokenBuckets | null = null
  return () => {
    const perMinute = perMinuteNow()
    if (perMinute === 0) buckets = null
    else if (buckets?.perMinute !== perMinute) buckets = openTokenBuckets(perMinute, clock)
    return buckets
  }
}

/** One bucket per id, which holds the requests of one minute and refills evenly. */
export function openTokenBuckets(perMinute: number, clock: Clock): TokenBuckets {
  const perSecond = perMinute / 60
  /** Least recently used first. */
  const buckets = new Map<string, { readonly left: number; readonly at: number }>()

  function refilled(id: string, now: number): number {
    const bucket = buckets.get(id)
    if (bucket === undefined) return perMinute
    // Nothing is refilled when the clock was set back.
    return Math.min(perMinute, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond)
  }

  return {
    perMinute,
    take(id) {
      const now = clock()
      const available = refilled(id, now)
      const allowed = available >= 1
      const left = allowed ? available - 1 : available
      buckets.delete(id)
      buckets.set(id, { left, at: now })
      const [oldest = id] = buckets.keys()
      if (buckets.size > MAX_BUCKETS) buckets.delete(oldest)
      return {
        allowed,
        remaining: Math.floor(left),
        retryAfterSeconds: left >= 1 ? 0 : Math.ceil((1 - left) / perSecond),
        fullAfterSeconds: Math.ceil((perMinute - left) / perSecond),
      }
    },
  }
}
