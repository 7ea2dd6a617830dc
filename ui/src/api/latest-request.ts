import { STOPPED } from '../base/stopped.ts'

/** A request for a state that others change. Only the response to the latest request is used. */
export interface LatestRequest {
  /** Loads the state again, and aborts the request before: its response may be older than the change. */
  start(): void
  stop(): void
}

/** @param run loads the state and shows it. If it throws, it runs again after a delay, until `stop` is called. */
export function createLatestRequest(run: (signal: AbortSignal) => Promise<void>): LatestRequest {
  let running = new AbortController()

  async function start(): Promise<void> {
    running.abort(STOPPED)
    running = new AbortController()
    const { signal } = running
    try {
      await run(signal)
    } catch {
      if (!signal.aborted) setTimeout(() => signal.aborted || start(), RETRY_DELAY_MS)
    }
  }

  return { start: () => void start(), stop: () => running.abort(STOPPED) }
}

const RETRY_DELAY_MS = 5_000
