import { openUnpausedClock } from '../time/unpaused-time.ts'
import type { FetchLimits } from './fetch-limits.ts'

/** What a stall timer calls. */
export interface StallListener {
  /** Called once when half of the connect timeout has passed without headers. */
  onSlowStart(): void
  /** Called once. */
  onTimeout(): void
}

/**
 * Detects that the source of one attempt is silent, or sends too slowly, for too long. First waits for the response headers.
 * Counts only time in which this process runs and waits for the source, not time in which received bytes wait to be processed: at
 * each tick, a timer that waits counts the time since the tick before.
 */
export class StallTimer implements Disposable {
  readonly #limits: FetchLimits
  readonly #listener: StallListener
  readonly #ticker: ReturnType<typeof setInterval>
  #hasHeaders = false
  #isWaiting = true
  /** Null before the first tick of a wait: the wait has begun at some time since the tick before. */
  #silentMs: number | null = null
  #windowWaitedMs = 0
  #windowBytes = 0

  constructor(limits: FetchLimits, listener: StallListener) {
    this.#limits = limits
    this.#listener = listener
    const runningMs = openUnpausedClock(() => performance.now())
    let lastMs = runningMs()
    this.#ticker = setInterval(() => {
      const nowMs = runningMs()
      this.check(nowMs - lastMs)
      lastMs = nowMs
    }, TICK_MS)
  }

  /** The response has begun. */
  headersArrived(): void {
    this.#stopWaiting()
    this.#hasHeaders = true
    this.#windowWaitedMs = 0
  }

  /** The wait for the next piece of the body begins. */
  waiting(): void {
    this.#isWaiting = true
  }

  /** The piece has arrived. */
  received(bytes: number): void {
    this.#stopWaiting()
    this.#windowBytes += bytes
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticker)
  }

  /** Called at each tick. */
  check(elapsedMs: number): void {
    if (!this.#isWaiting || !this.#isOverdue(elapsedMs)) return
    this[Symbol.dispose]()
    this.#listener.onTimeout()
  }

  #isOverdue(elapsedMs: number): boolean {
    const { connectTimeoutMs, headersTimeoutMs, idleTimeoutMs, slowWindowMs, minBytesPerSecond } =
      this.#limits
    const earlierMs = this.#silentMs ?? 0
    const silentMs = this.#silentMs === null ? 0 : earlierMs + elapsedMs
    this.#silentMs = silentMs
    const slowStartMs = connectTimeoutMs / 2
    if (!this.#hasHeaders && earlierMs < slowStartMs && silentMs >= slowStartMs) this.#listener.onSlowStart()
    if (silentMs >= (this.#hasHeaders ? idleTimeoutMs : headersTimeoutMs)) return true
    this.#windowWaitedMs += elapsedMs
    if (this.#windowWaitedMs < slowWindowMs) return false
    const isTooSlow = (this.#windowBytes * 1000) / this.#windowWaitedMs < minBytesPerSecond
    this.#windowWaitedMs = 0
    this.#windowBytes = 0
    return isTooSlow
  }

  #stopWaiting(): void {
    this.#isWaiting = false
    this.#silentMs = null
  }
}

/** Finer than any limit requires; coarse enough to take no noticeable time. */
const TICK_MS = 100
