/**
 * A clock that stops while this process is paused: a laptop that sleeps, a virtual machine that is paused, a process that
 * is stopped. Data that was sent to the process meanwhile waits in its sockets, so the source was not slow.
 * @param now monotonic, in milliseconds
 * @returns the clock; call it about every 100 ms, since it detects a pause by the time between two calls
 */
export function openUnpausedClock(now: () => number): () => number {
  let lastMs = now()
  let pausedMs = 0
  return () => {
    const nowMs = now()
    const stepMs = nowMs - lastMs
    if (stepMs > LONGEST_STEP_MS) pausedMs += stepMs
    lastMs = nowMs
    return nowMs - pausedMs
  }
}

/**
 * A clock in milliseconds that stops while this process is paused, for whoever reads it seldom: it reads itself every 100 ms, and
 * no more when nobody has read it for a long time.
 */
export function runningMs(): number {
  ticksLeft = MOST_TICKS
  ticker ??= setInterval(tick, TICK_MS).unref()
  return unpausedClock()
}

const unpausedClock = openUnpausedClock(() => performance.now())
let ticker: ReturnType<typeof setInterval> | null = null
let ticksLeft = 0

function tick(): void {
  unpausedClock()
  ticksLeft -= 1
  if (ticksLeft > 0 || ticker === null) return
  clearInterval(ticker)
  ticker = null
}

const TICK_MS = 100
/** Fifteen minutes, which is longer than any wait between two readings. */
const MOST_TICKS = (15 * 60_000) / TICK_MS

/** Calls back once, after a time that does not count pauses of this process. Disposing of it cancels the call. */
export function unpausedTimeout(durationMs: number, onTimeout: () => void): Disposable {
  let leftMs = durationMs
  let timer: ReturnType<typeof setTimeout>
  // A timer that is due during a pause fires at the end of the pause. A short timer counts only its own length then.
  const step = () => {
    const stepMs = Math.min(leftMs, LONGEST_STEP_MS)
    leftMs -= stepMs
    timer = setTimeout(leftMs > 0 ? step : onTimeout, stepMs)
  }
  step()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Even a busy event loop completes a turn within this time. A longer step means that the process was paused. */
const LONGEST_STEP_MS = 500
