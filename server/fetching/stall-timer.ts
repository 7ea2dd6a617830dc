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
 * each tick, a timer that waits counts the time since the tick before. A small fetch ends before the next tick, so it never reads
 * the clock.
 */
export class StallTimer implements Disposable {
  readonly #limits: FetchLimits
  readonly #listener: StallListener
  #hasHeaders = false
  #isWaiting = true
  /** Null before the first tick of a wait: the wait has begun at some time since the tick before. */
  #silentMs: number | null = null
  #windowWaitedMs = 0
  #windowBytes = 0
  /** Its index in `timers`; -1 when it has ended. */
  #index: number

  constructor(limits: FetchLimits, listener: StallListener) {
    this.#limits = limits
    this.#listener = listener
    this.#index = startChecking(this)
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
    if (this.#index >= 0) stopChecking(this.#index)
    this.#index = -1
  }

  /** Called at each tick. */
  check(elapsedMs: number): void {
    if (!this.#isWaiting || !this.#isOverdue(elapsedMs)) return
    this[Symbol.dispose]()
    this.#listener.onTimeout()
  }

  /** Another timer has ended, and this one takes its index. */
  movedTo(index: number): void {
    this.#index = index
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

/** A clock in milliseconds that stops while the process is paused. The ticker below reads it often enough for that. */
export const runningMs = openUnpausedClock(() => performance.now())

/**
 * One interval serves all attempts of the thread: one timer per attempt would cost more than a small fetch. An array, since to
 * add to a set and to delete from it takes six times as long.
 */
const timers: StallTimer[] = []
let ticker: ReturnType<typeof setInterval> | null = null

/** Finer than any limit requires; coarse enough to take no noticeable time. */
const TICK_MS = 100

/** Returns the index of the timer. */
function startChecking(timer: StallTimer): number {
  if (ticker === null) {
    let lastMs = runningMs()
    ticker = setInterval(() => {
      const nowMs = runningMs()
      const elapsedMs = nowMs - lastMs
      lastMs = nowMs
      // From the end, since a timer that ends is replaced by the last one.
      for (let index = timers.length - 1; index >= 0; index--) timers[index]?.check(elapsedMs)
    }, TICK_MS)
  }
  return timers.push(timer) - 1
}

function stopChecking(index: number): void {
  const last = timers.pop()
  if (index < timers.length && last !== undefined) {
    timers[index] = last
    last.movedTo(index)
  }
  if (timers.length > 0 || ticker === null) return
  clearInterval(ticker)
  ticker = null
}
