/** Timeouts and retries of sources. Times are in milliseconds. */
export interface FetchLimits {
  /** Attempts in total, for retryable failures. */
  readonly attempts: number
  /** Wait before the second attempt; doubles with each further one. */
  readonly firstBackoffMs: number
  /** The longest `Retry-After` that is honoured. */
  readonly maxRetryAfterMs: number
  readonly maxRedirects: number
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
  /** The longest wait between two pieces of a body. */
  readonly idleTimeoutMs: number
  /** A body that sends less than `minBytesPerSecond` over this time fails: it would hold a connection forever. */
  readonly slowWindowMs: number
  readonly minBytesPerSecond: number
  /** A host is given up for the job after this many unanswered attempts in a row, if they span `unreachableAfterMs`. */
  readonly unreachableAfterAttempts: number
  readonly unreachableAfterMs: number
}

export const FETCH_LIMITS: FetchLimits = {
  attempts: 4,
  firstBackoffMs: 500,
  maxRetryAfterMs: 30_000,
  maxRedirects: 20,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  slowWindowMs: 5 * 60_000,
  minBytesPerSecond: 1024,
  // More than the first connections of a host: a list may begin with its slowest URLs.
  unreachableAfterAttempts: 10,
  unreachableAfterMs: 10_000,
}
