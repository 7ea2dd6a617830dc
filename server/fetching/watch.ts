import { createRunningTime } from '../running-time.ts'
import type { FetchLimits } from './fetch-limits.ts'

/**
 * Watches one attempt: it calls `onTimeout` once when the source is silent, or trickles, for too long. Only the
 * time counts in which this process runs and waits for the source, not what passes while its bytes wait for us.
 */
export interface Watch extends Disposable {
  /** The response has begun. */
  headersArrived(): void
  /** We wait for the next piece of the body. */
  waiting(): void
  /** It came. */
  received(bytes: number): void
}

/**
 * Begins with the wait for the response's headers.
 * @param onSlowStart called once when half of the time for a connection has passed without them
 */
export function startWatch(limits: FetchLimits, onSlowStart: () => void, onTimeout: () => void): Watch {
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
    if (windowWaitedMs + waitedMs < limits.trickleWindowMs) return false
    const isTrickling = (windowBytes * 1000) / (windowWaitedMs + waitedMs) < limits.minBytesPerSecond
    windowWaitedMs = -waitedMs
    windowBytes = 0
    return isTrickling
  }
  const check = (nowMs: number) => {
    if (!isOverdue(nowMs)) return
    unwatch(check)
    onTimeout()
  }
  const stopWaiting = () => {
    if (waitingSinceMs !== null) windowWaitedMs += runningMs() - waitingSinceMs
    waitingSinceMs = null
  }
  watchFor(check)

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
    [Symbol.dispose]: () => unwatch(check),
  }
}

/** Milliseconds by which sources are waited for, without pauses of the process. The ticker calls it often enough. */
export const runningMs = createRunningTime(() => performance.now())

type Check = (nowMs: number) => void

/** One timer serves all attempts of the thread: a timer each would cost more than many a fetch. */
const checks = new Set<Check>()
let ticker: ReturnType<typeof setInterval> | null = null

/** Finer than any limit needs; coarse enough to cost nothing. */
const TICK_MS = 100

function watchFor(check: Check): void {
  checks.add(check)
  ticker ??= setInterval(() => {
    const nowMs = runningMs()
    for (const each of checks) each(nowMs)
  }, TICK_MS)
}

function unwatch(check: Check): void {
  checks.delete(check)
  if (checks.size > 0 || ticker === null) return
  clearInterval(ticker)
  ticker = null
}
