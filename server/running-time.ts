/**
 * Milliseconds that pass while this process runs. A laptop that sleeps, a virtual machine that is paused and a process
 * that is stopped hear nobody: what was sent to them meanwhile lies in their sockets, and no source was slow.
 * @param now monotonic, in milliseconds; the function that is returned has to be called each 100 ms or so
 */
export function createRunningTime(now: () => number): () => number {
  let seenMs = now()
  let lostMs = 0
  return () => {
    const nowMs = now()
    const stepMs = nowMs - seenMs
    if (stepMs > LONGEST_STEP_MS) lostMs += stepMs
    seenMs = nowMs
    return nowMs - lostMs
  }
}

/** Calls back once, after so long a time in which this process ran; disposing of it calls it off. */
export function afterRunning(durationMs: number, onOver: () => void): Disposable {
  let leftMs = durationMs
  let timer: ReturnType<typeof setTimeout>
  // A timer that comes due in a pause goes off at its end: so none is for longer than a pause may count.
  const step = () => {
    const stepMs = Math.min(leftMs, LONGEST_STEP_MS)
    leftMs -= stepMs
    timer = setTimeout(leftMs > 0 ? step : onOver, stepMs)
  }
  step()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** A thread that is busy gets round within this time; one that does not, did not run. */
const LONGEST_STEP_MS = 500
