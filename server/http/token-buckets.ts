import type { Clock } from '../clock.ts'

/** What is left of someone's bucket after a request. */
export interface Allowance {
  readonly allowed: boolean
  /** Whole requests that may follow at once. */
  readonly remaining: number
  /** Until the next request may come, in seconds; 0 when it may come now. */
  readonly retryAfterSeconds: number
  /** Until the bucket is full again, in seconds. */
  readonly fullAfterSeconds: number
}

export interface TokenBuckets {
  readonly perMinute: number
  /** Takes one request out of the bucket of `id`. */
  take(id: string): Allowance
}

/**
 * Buckets are kept for this many at most, some 100 bytes each. Beyond that the one used longest ago is forgotten,
 * the likeliest to be full again.
 */
export const MAX_BUCKETS = 50_000

/** A bucket for everyone, which holds a minute's worth of requests and fills evenly. */
export function openTokenBuckets(perMinute: number, clock: Clock): TokenBuckets {
  const perSecond = perMinute / 60
  /** In the order of last use. */
  const buckets = new Map<string, { readonly left: number; readonly at: number }>()

  function filled(id: string, now: number): number {
    const bucket = buckets.get(id)
    if (bucket === undefined) return perMinute
    // A clock that was set back fills nothing.
    return Math.min(perMinute, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond)
  }

  return {
    perMinute,
    take(id) {
      const now = clock()
      const found = filled(id, now)
      const allowed = found >= 1
      const left = allowed ? found - 1 : found
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
