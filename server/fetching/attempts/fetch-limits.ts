/** Timeouts and retries of sources. Times are in milliseconds. */
export interface FetchLimits {
  /** How often in a row the attempts of one source may fail at its own fault. */
  readonly attempts: number
  /** Wait before the second attempt; doubles with each further one, up to `maxBackoffMs`. */
  readonly firstBackoffMs: number
  readonly maxBackoffMs: number
  /** A source that has been attempted for so long without a new byte fails. Waits that its host asked for don't count. */
  readonly fruitlessMs: number
  /** The longest `Retry-After` that is honoured. */
  readonly maxRetryAfterMs: number
  readonly maxRedirects: number
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
  /** The longest wait between two pieces of a body. */
  readonly idleTimeoutMs: number
  /** A host that is silent for so long is probed, for the case that the network is away. */
  readonly silentAfterMs: number
  /** How often silence is looked for, and a host that could not be reached is probed again. */
  readonly silenceCheckMs: number
  /** A body that sends less than `minBytesPerSecond` over this time fails: it would hold a connection forever. */
  readonly slowWindowMs: number
  readonly minBytesPerSecond: number
  /**
   * A host that has never answered in the job is given up after this many unanswered attempts in a row, if they span
   * `unreachableAfterMs`.
   */
  readonly unreachableAfterAttempts: number
  readonly unreachableAfterMs: number
  /** The same for a host that has answered before, or that answers only that its clients must wait. */
  readonly lostAfterMs: number
}

export const FETCH_LIMITS: FetchLimits = {
  attempts: 4,
  firstBackoffMs: 500,
  maxBackoffMs: 8_000,
  fruitlessMs: 120_000,
  maxRetryAfterMs: 10 * 60_000,
  maxRedirects: 20,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 30_000,
  silentAfterMs: 4_000,
  silenceCheckMs: 1_000,
  slowWindowMs: 5 * 60_000,
  minBytesPerSecond: 1024,
  // More than the first connections of a host: a list may begin with its slowest URLs.
  unreachableAfterAttempts: 10,
  unreachableAfterMs: 10_000,
  // A restart, or a network that is away for a while.
  lostAfterMs: 120_000,
}
