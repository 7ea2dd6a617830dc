import { FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'

/**
 * Runs an attempt until it succeeds, fails for good, or has used up the allowed attempts.
 * @param random from 0 to 1: spreads the next attempts of many sources that failed at the same time
 */
export async function withRetries(
  limits: FetchLimits,
  signal: AbortSignal,
  attempt: () => Promise<void>,
  random: () => number = Math.random,
): Promise<void> {
  for (let made = 1; ; made++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof FetchFailure) || !error.retryable || made >= limits.attempts) throw error
      await pause(waitMs(error, made, limits, random()), signal)
    }
  }
}

/** Exponential backoff with jitter, or the wait of `Retry-After` (RFC 9110 section 10.2.3) up to its limit. */
function waitMs(failure: FetchFailure, made: number, limits: FetchLimits, random: number): number {
  if (failure.retryAfterMs !== null) return Math.min(failure.retryAfterMs, limits.maxRetryAfterMs)
  return limits.firstBackoffMs * 2 ** (made - 1) * (0.5 + random)
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => {
    clearTimeout(timer)
    reject(signal.reason)
  }
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', onAbort)
    resolve()
  }, durationMs)
  signal.addEventListener('abort', onAbort, { once: true })
  return promise
}
