import { openUnpausedClock } from '../time/unpaused-time.ts'
import type { FetchLimits } from './fetch-limits.ts'

/**
 * Detects that the source of one attempt is silent, or sends too slowly, for too long. Counts only time in which this
 * process runs and waits for the source, not time in which received bytes wait to be processed.
 */
export interface StallTimer extends Disposable {
  /** The response has begun. */
  headersArrived(): void
  /** The wait for the next piece of the body begins. */
  waiting(): void
  /** The piece has arrived. */
  received(bytes: number): void
}

/**
 * Starts the timer, which first waits for the response headers.
 * @param onSlowStart called once when half of the connect timeout has passed without headers
 * @param onTimeout called once
 */
export function startStallTimer(
  limits: FetchLimits,
  onSlowStart: () => void,
  onTimeout: () => void,
): StallTimer {
  let isStarting = true
  let limitMs = limits.headersTimeoutMs
  let waitingSinceMs: number | null = runningMs()
  let windowWaitedMs = 0
  let windowBytes = 0

  const isOverdue = (nowMs: number): boolean => {
    if (waitingSinceMs === null) return false
    const waitedMs = nowMs - waitingSinceMs
    if (isStarting && waitedMs >= limits.connectTimeoutMs / 2) {
      isStarting = false
      onSlowStart()
    }
    if (waitedMs >= limitMs) return true
    if (windowWaitedMs + waitedMs < limits.slowWindowMs) return false
    const isTooSlow = (windowBytes * 1000) / (windowWaitedMs + waitedMs) < limits.minBytesPerSecond
    windowWaitedMs = -waitedMs
    windowBytes = 0
    return isTooSlow
  }
  const check = (nowMs: number) => {
    if (!isOverdue(nowMs)) return
    stopChecking(check)
    onTimeout()
  }
  const stopWaiting = () => {
    if (waitingSinceMs !== null) windowWaitedMs += runningMs() - waitingSinceMs
    waitingSinceMs = null
  }
  startChecking(check)

  return {
    headersArrived() {
      stopWaiting()
      isStarting = false
      limitMs = limits.idleTimeoutMs
      windowWaitedMs = 0
    },
    waiting() {
      waitingSinceMs = runningMs()
    },
    received(bytes) {
      stopWaiting()
      windowBytes += bytes
    },
    [Symbol.dispose]: () => stopChecking(check),
  }
}

/** A clock in milliseconds that stops while the process is paused. The ticker below reads it often enough for that. */
export const runningMs = openUnpausedClock(() => performance.now())

type Check = (nowMs: number) => void

/** One interval serves all attempts of the thread: one timer per attempt would cost more than a small fetch. */
const checks = new Set<Check>()
let ticker: ReturnType<typeof setInterval> | null = null

/** Finer than any limit requires; coarse enough to take no noticeable time. */
const TICK_MS = 100

function startChecking(check: Check): void {
  checks.add(check)
  ticker ??= setInterval(() => {
    const nowMs = runningMs()
    for (const each of checks) each(nowMs)
  }, TICK_MS)
}

function stopChecking(check: Check): void {
  checks.delete(check)
  if (checks.size > 0 || ticker === null) return
  clearInterval(ticker)
  ticker = null
}
