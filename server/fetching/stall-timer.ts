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
 * Detects that the source of one attempt is silent, or sends too slowly, for too long. Counts only time in which this
 * process runs and waits for the source, not time in which received bytes wait to be processed. First waits for the response
 * headers. A class, since closures for each of thousands of small fetches take noticeable time.
 */
export class StallTimer implements Disposable {
  readonly #limits: FetchLimits
  readonly #listener: StallListener
  #isStarting = true
  #limitMs: number
  #waitingSinceMs: number | null = runningMs()
  #windowWaitedMs = 0
  #windowBytes = 0

  constructor(limits: FetchLimits, listener: StallListener) {
    this.#limits = limits
    this.#listener = listener
    this.#limitMs = limits.headersTimeoutMs
    startChecking(this)
  }

  /** The response has begun. */
  headersArrived(): void {
    this.#stopWaiting()
    this.#isStarting = false
    this.#limitMs = this.#limits.idleTimeoutMs
    this.#windowWaitedMs = 0
  }

  /** The wait for the next piece of the body begins. */
  waiting(): void {
    this.#waitingSinceMs = runningMs()
  }

  /** The piece has arrived. */
  received(bytes: number): void {
    this.#stopWaiting()
    this.#windowBytes += bytes
  }

  [Symbol.dispose](): void {
    stopChecking(this)
  }

  /** Called every `TICK_MS`. */
  check(nowMs: number): void {
    if (!this.#isOverdue(nowMs)) return
    stopChecking(this)
    this.#listener.onTimeout()
  }

  #isOverdue(nowMs: number): boolean {
    if (this.#waitingSinceMs === null) return false
    const { connectTimeoutMs, slowWindowMs, minBytesPerSecond } = this.#limits
    const waitedMs = nowMs - this.#waitingSinceMs
    if (this.#isStarting && waitedMs >= connectTimeoutMs / 2) {
      this.#isStarting = false
      this.#listener.onSlowStart()
    }
    if (waitedMs >= this.#limitMs) return true
    if (this.#windowWaitedMs + waitedMs < slowWindowMs) return false
    const isTooSlow = (this.#windowBytes * 1000) / (this.#windowWaitedMs + waitedMs) < minBytesPerSecond
    this.#windowWaitedMs = -waitedMs
    this.#windowBytes = 0
    return isTooSlow
  }

  #stopWaiting(): void {
    if (this.#waitingSinceMs !== null) this.#windowWaitedMs += runningMs() - this.#waitingSinceMs
    this.#waitingSinceMs = null
  }
}

/** A clock in milliseconds that stops while the process is paused. The ticker below reads it often enough for that. */
export const runningMs = openUnpausedClock(() => performance.now())

/** One interval serves all attempts of the thread: one timer per attempt would cost more than a small fetch. */
const timers = new Set<StallTimer>()
let ticker: ReturnType<typeof setInterval> | null = null

/** Finer than any limit requires; coarse enough to take no noticeable time. */
const TICK_MS = 100

function startChecking(timer: StallTimer): void {
  timers.add(timer)
  ticker ??= setInterval(() => {
    const nowMs = runningMs()
    for (const timer of timers) timer.check(nowMs)
  }, TICK_MS)
}

function stopChecking(timer: StallTimer): void {
  timers.delete(timer)
  if (timers.size > 0 || ticker === null) return
  clearInterval(ticker)
  ticker = null
}
