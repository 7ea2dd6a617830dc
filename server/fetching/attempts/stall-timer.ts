import { openUnpausedClock } from '../../time/unpaused-time.ts'
import type { FetchLimits } from './fetch-limits.ts'

/**
 * Detects that the source of one attempt is silent, or sends too slowly, for too long. First waits for the connection, then for the
 * response headers. Counts only time in which this process runs and waits for the source, not time in which received bytes wait to be
 * processed, or in which nothing may be read: at each tick, a timer that waits counts the time since the tick before.
 *
 * Methods in the order in which they may be called: `connected`, again if another connection was needed; `headersArrived`; then `waiting`
 * and `received` for each piece. Dispose of it at any time; `onTimeout` has done so.
 */
export class StallTimer implements Disposable {
  readonly #limits: FetchLimits
  readonly #onTimeout: (reason: 'silent' | 'slow') => void
  readonly #heldMs: () => number
  #lastHeldMs: number
  #isConnected = false
  #hasHeaders = false
  #isWaiting = true
  /** Null before the first tick of a wait: the wait has begun at some time since the tick before. */
  #silentMs: number | null = null
  #windowWaitedMs = 0
  #windowBytes = 0

  /**
   * @param onTimeout called once
   * @param heldMs for how long nothing could be read, in all
   */
  constructor(
    limits: FetchLimits,
    onTimeout: (reason: 'silent' | 'slow') => void,
    heldMs: () => number = () => 0,
  ) {
    this.#limits = limits
    this.#onTimeout = onTimeout
    this.#heldMs = heldMs
    this.#lastHeldMs = heldMs()
    timers.add(this)
    if (ticker === null) startTicking()
  }

  /** The request can be sent. */
  connected(): void {
    this.#isConnected = true
    this.#silentMs = null
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
    timers.delete(this)
    if (timers.size > 0 || ticker === null) return
    clearInterval(ticker)
    ticker = null
  }

  /** Called at each tick. */
  check(elapsedMs: number): void {
    const waitedMs = this.#waitedMs(elapsedMs)
    if (!this.#isWaiting) return
    this.#silentMs = this.#silentMs === null ? 0 : this.#silentMs + waitedMs
    const reason =
      this.#silentMs >= this.#silenceLimitMs() ? 'silent' : this.#isSlow(waitedMs) ? 'slow' : null
    if (reason === null) return
    this[Symbol.dispose]()
    this.#onTimeout(reason)
  }

  /** A connection is made whether or not anything may be read. */
  #waitedMs(elapsedMs: number): number {
    const heldMs = this.#heldMs()
    const heldSinceMs = this.#isConnected ? heldMs - this.#lastHeldMs : 0
    this.#lastHeldMs = heldMs
    return Math.max(0, elapsedMs - heldSinceMs)
  }

  #isSlow(elapsedMs: number): boolean {
    const { slowWindowMs, minBytesPerSecond } = this.#limits
    if (!this.#hasHeaders) return false
    this.#windowWaitedMs += elapsedMs
    if (this.#windowWaitedMs < slowWindowMs) return false
    const isTooSlow = (this.#windowBytes * 1000) / this.#windowWaitedMs < minBytesPerSecond
    this.#windowWaitedMs = 0
    this.#windowBytes = 0
    return isTooSlow
  }

  #silenceLimitMs(): number {
    const { connectTimeoutMs, headersTimeoutMs, idleTimeoutMs } = this.#limits
    if (this.#hasHeaders) return idleTimeoutMs
    return this.#isConnected ? headersTimeoutMs : connectTimeoutMs
  }

  #stopWaiting(): void {
    this.#isWaiting = false
    this.#silentMs = null
  }
}

/** One interval serves all fetches of the thread. */
const timers = new Set<StallTimer>()
let ticker: ReturnType<typeof setInterval> | null = null

function startTicking(): void {
  const runningMs = openUnpausedClock(() => performance.now())
  let lastMs = runningMs()
  ticker = setInterval(() => {
    const nowMs = runningMs()
    const elapsedMs = nowMs - lastMs
    lastMs = nowMs
    for (const timer of timers) timer.check(elapsedMs)
  }, TICK_MS)
}

/** Finer than any limit requires, and only ten calls per second. */
const TICK_MS = 100
