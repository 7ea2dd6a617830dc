import {
  isDescriptorFree,
  isOutOfDescriptors,
  MAX_SHORTAGE_MS,
  SHORTAGE_RETRY_MS,
} from '../files/descriptors.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'

/** Counts the attempts to fetch one source. An attempt does not count if this process lacked descriptors. */
export class Retries {
  readonly #limits: FetchLimits
  readonly #signal: AbortSignal
  #failed = 0
  #shortageMs = 0

  constructor(limits: FetchLimits, signal: AbortSignal) {
    this.#limits = limits
    this.#signal = signal
  }

  /**
   * Waits until the next attempt may begin.
   * @throws the error of the last attempt, if it is not retryable or was the last one allowed
   */
  async waitAfter(error: unknown): Promise<void> {
    if (!(error instanceof FetchFailure)) throw error
    if (this.#shortageMs < MAX_SHORTAGE_MS && lackedDescriptors(error)) {
      this.#shortageMs += SHORTAGE_RETRY_MS
      return await pause(SHORTAGE_RETRY_MS, this.#signal)
    }
    this.#failed += 1
    if (!error.retryable || this.#failed >= this.#limits.attempts) throw error
    await pause(waitMs(error, this.#failed, this.#limits), this.#signal)
  }
}

/** Whether clients held all descriptors of this process. The failure then says nothing about the source. */
export function lackedDescriptors(failure: FetchFailure): boolean {
  return isOutOfDescriptors(failure) || !isDescriptorFree()
}

/**
 * Exponential backoff, or the wait of `Retry-After` (RFC 9110 section 10.2.3) up to its limit. The jitter spreads the next
 * attempts of many sources that failed at the same time.
 */
function waitMs(failure: FetchFailure, failedCount: number, limits: FetchLimits): number {
  if (failure.retryAfterMs !== null) return Math.min(failure.retryAfterMs, limits.maxRetryAfterMs)
  return limits.firstBackoffMs * 2 ** (failedCount - 1) * (0.5 + Math.random())
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
