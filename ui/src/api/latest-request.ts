/** Loads a state that others change. What the latest start loads counts, whatever arrives in between. */
export interface LatestRequest {
  /** Loads the state again. The request before, if it is still running, may be from before a change: it is aborted. */
  start(): void
  stop(): void
}

/** @param run loads the state and shows it. If it throws, it runs again after a delay, until `stop` is called. */
export function createLatestRequest(run: (signal: AbortSignal) => Promise<void>): LatestRequest {
  let running = new AbortController()

  async function start(): Promise<void> {
    running.abort()
    running = new AbortController()
    const { signal } = running
    try {
      await run(signal)
    } catch {
      if (!signal.aborted) setTimeout(() => signal.aborted || start(), RETRY_DELAY_MS)
    }
  }

  return { start: () => void start(), stop: () => running.abort() }
}

const RETRY_DELAY_MS = 5_000
