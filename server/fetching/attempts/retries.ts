// server/decisions/source-time-limits.md says when a source or a host is given up, and why.

import {
  isDescriptorFree,
  isOutOfDescriptors,
  MAX_SHORTAGE_MS,
  SHORTAGE_RETRY_MS,
} from '../../files/descriptors.ts'
import { pause } from '../../time/pause.ts'
import { type FailureText, FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'

/** What one failed attempt tells, beside its failure. */
export interface FailedAttempt {
  /** How many bytes it brought that the next attempt continues. */
  readonly broughtBytes: number
  /** Whether the host has answered anything in this job. */
  readonly hostHasAnswered: boolean
  /** How long it lasted, without the wait for its connection. */
  readonly lastedMs: number
}

/**
 * Decides how often one source is attempted. An attempt that brought new bytes uses up nothing, nor does one that the host asked
 * to wait, one that found a host silent which has answered before, or one that failed because this process lacked descriptors. A source
 * that brings bytes so slowly that one response of that pace would time out is given up, too: it breaks off after each few.
 */
export class Retries {
  readonly #limits: FetchLimits
  readonly #signal: AbortSignal
  #failedInRow = 0
  #backoffs = 0
  #fruitlessMs = 0
  #refusals = 0
  #shortageMs = 0
  #windowMs = 0
  #windowBytes = 0

  constructor(limits: FetchLimits, signal: AbortSignal) {
    this.#limits = limits
    this.#signal = signal
  }

  /**
   * Waits until the next attempt may begin. If the host asked for a wait, it returns at once: the connection that the next attempt
   * needs is granted after that wait.
   * @throws the error of the last attempt, if the source is given up
   */
  async waitAfter(error: unknown, attempt: FailedAttempt): Promise<void> {
    if (!(error instanceof FetchFailure)) throw error
    if (this.#shortageMs < MAX_SHORTAGE_MS && lackedDescriptors(error)) {
      this.#shortageMs += SHORTAGE_RETRY_MS
      return await pause(SHORTAGE_RETRY_MS, this.#signal)
    }
    if (!error.retryable) throw error
    const isFruitful = attempt.broughtBytes > 0
    if (isFruitful) this.#startAgain()
    else this.#fruitlessMs += attempt.lastedMs
    if (this.#fruitlessMs >= this.#limits.fruitlessMs) throw error
    if (error.asksToWait) {
      this.#refusals += 1
      if (this.#refusals > MAX_REFUSALS) throw error
      return
    }
    const isOfLostHost = attempt.hostHasAnswered && NO_ANSWER.has(error.text)
    if (!isFruitful && !isOfLostHost) {
      this.#failedInRow += 1
      if (this.#failedInRow >= this.#limits.attempts) throw error
    }
    const { firstBackoffMs } = this.#limits
    // Whoever waits for a host that is away must not wait for long when it is back.
    const maxBackoffMs = isOfLostHost ? this.#limits.maxBackoffMs / 2 : this.#limits.maxBackoffMs
    const backoffMs = Math.min(firstBackoffMs * 2 ** this.#backoffs, maxBackoffMs) * (0.5 + Math.random())
    // The wait does not grow while attempts bring bytes.
    if (!isFruitful) this.#backoffs += 1
    this.#fruitlessMs += backoffMs
    if (this.#isSlow(attempt.broughtBytes, backoffMs)) throw error
    await pause(backoffMs, this.#signal)
  }

  /**
   * Counts waits alone: a response that is slow itself is found by `StallTimer`, which knows when nothing could be read.
   */
  #isSlow(bytes: number, waitedMs: number): boolean {
    const { slowWindowMs, minBytesPerSecond } = this.#limits
    this.#windowMs += waitedMs
    this.#windowBytes += bytes
    // A source that brings nothing at all is given up by other limits.
    if (this.#windowMs < slowWindowMs || this.#windowBytes === 0) return false
    const isTooSlow = (this.#windowBytes * 1000) / this.#windowMs < minBytesPerSecond
    this.#windowMs = 0
    this.#windowBytes = 0
    return isTooSlow
  }

  #startAgain(): void {
    this.#failedInRow = 0
    this.#backoffs = 0
    this.#fruitlessMs = 0
    this.#refusals = 0
  }
}

/**
 * A host that refuses one source so often while it accepts others refuses that source. If it refuses all, it is given up much sooner
 * (`HostAvailability`). In a list of thousands of URLs, a source may be refused several times by chance.
 */
const MAX_REFUSALS = 50

/** Failures that may concern the whole host, not only one URL. A timeout counts only before the response begins. */
export const NO_ANSWER: ReadonlySet<FailureText> = new Set<FailureText>([
  'Could not resolve host',
  'Connection refused',
  'Connection failed',
  'Timed out',
  'Proxy refused',
])

/** Whether clients held all descriptors of this process. The failure then says nothing about the source. */
export function lackedDescriptors(failure: FetchFailure): boolean {
  return isOutOfDescriptors(failure) || !isDescriptorFree()
}
