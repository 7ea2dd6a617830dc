/** How long and how often a source is waited for. Times are milliseconds. */
export interface FetchLimits {
  /** Attempts in all, for failures that another attempt may mend. */
  readonly attempts: number
  /** Wait before the second attempt; doubles with each further one. */
  readonly firstBackoffMs: number
  /** The longest `Retry-After` that is honoured. */
  readonly maxRetryAfterMs: number
  readonly maxRedirects: number
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
  /** Between two pieces of a body. */
  readonly idleTimeoutMs: number
  /** A body that brings less than `minBytesPerSecond` over this time is given up: it would hold a connection for ever. */
  readonly trickleWindowMs: number
  readonly minBytesPerSecond: number
  /** A host that answers none of so many attempts in a row, over so long a time, is not asked again in this job. */
  readonly outageAttempts: number
  readonly outageMs: number
}

export const FETCH_LIMITS: FetchLimits = {
  attempts: 4,
  firstBackoffMs: 500,
  maxRetryAfterMs: 30_000,
  maxRedirects: 10,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  trickleWindowMs: 5 * 60_000,
  minBytesPerSecond: 1024,
  // More than the first connections of a host, which a list that begins with its slowest URLs may fill.
  outageAttempts: 10,
  outageMs: 10_000,
}
