import {
  isDescriptorFree,
  isOutOfDescriptors,
  MAX_SHORTAGE_MS,
  SHORTAGE_RETRY_MS,
} from '../files/descriptors.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'

/**
 * Repeats an attempt until it succeeds, fails with an error that is not retryable, or has used up the allowed attempts.
 * An attempt does not count if this process lacked descriptors.
 * @param random returns 0 to 1: spreads the next attempts of many sources that failed at the same time
 */
export async function withRetries(
  limits: FetchLimits,
  signal: AbortSignal,
  attempt: () => Promise<void>,
  random: () => number = Math.random,
): Promise<void> {
  let made = 0
  let shortageMs = 0
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      if (shortageMs < MAX_SHORTAGE_MS && lackedDescriptors(error)) {
        shortageMs += SHORTAGE_RETRY_MS
        await pause(SHORTAGE_RETRY_MS, signal)
        continue
      }
      made += 1
      if (!error.retryable || made >= limits.attempts) throw error
      await pause(waitMs(error, made, limits, random()), signal)
    }
  }
}

/** Whether clients held all descriptors of this process. The failure then says nothing about the source. */
export function lackedDescriptors(failure: FetchFailure): boolean {
  return isOutOfDescriptors(failure) || !isDescriptorFree()
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
