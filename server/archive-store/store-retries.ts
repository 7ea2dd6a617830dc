import { pause } from '../time/pause.ts'
import { isTransient } from './store-error.ts'

/** Decides how often a request to the archive store is made again, and when. */
export class StoreRetries {
  /** In a row. */
  #failures = 0

  /** The store has sent something: the next failure is a first one. */
  worked(): void {
    this.#failures = 0
  }

  /**
   * Waits until the request may be made again.
   * @throws `error` when it would fail again, or has failed too often; the reason of `signal` when it is aborted
   */
  async waitAfter(error: unknown, signal: AbortSignal): Promise<void> {
    this.#failures += 1
    if (this.#failures === MAX_FAILURES || !isTransient(error)) throw error
    await pause(RETRY_DELAY_MS * 2 ** this.#failures, signal)
  }
}

/** With the delays, which double, a request takes 3.5 s if the store fails at once each time. */
const MAX_FAILURES = 4
const RETRY_DELAY_MS = 250
