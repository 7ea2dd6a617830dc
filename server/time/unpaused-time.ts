/**
 * A clock that stands still while this process is paused: a laptop that sleeps, a virtual machine that is paused, a
 * process that is stopped. What was sent to the process meanwhile waits in its sockets, so the source was not slow.
 * @param now monotonic, in milliseconds; call the function that is returned about every 100 ms
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

/** Calls back once, after a time that does not count pauses of this process. Disposing of it cancels the call. */
export function unpausedTimeout(durationMs: number, onTimeout: () => void): Disposable {
  let leftMs = durationMs
  let timer: ReturnType<typeof setTimeout>
  // A timer that is due during a pause fires at its end, so no single timer is longer than a pause that is not noticed.
  const step = () => {
    const stepMs = Math.min(leftMs, LONGEST_STEP_MS)
    leftMs -= stepMs
    timer = setTimeout(leftMs > 0 ? step : onTimeout, stepMs)
  }
  step()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** The event loop of a busy thread gets round within this time. A longer step means that the process was paused. */
const LONGEST_STEP_MS = 500
