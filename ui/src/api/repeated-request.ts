import { createSignal, onCleanup, onMount } from 'solid-js'
import { STOPPED } from '../base/stopped.ts'
import { type ApiError, toApiError } from './request.ts'

export interface RepeatedRequest<T> {
  /** The latest response; undefined until the first. It stays the same object while the responses are equal. */
  value(): T | undefined
  /** Why the last attempt failed; null if it succeeded. */
  error(): ApiError | null
  /** Loads again immediately. */
  refresh(): void
  /** Sends no request until `remove`, which deletes what is polled, has failed: the response could only be an error. */
  stopFor(remove: () => Promise<void>): Promise<void>
}

/**
 * Repeats a request `delayMs` after each response, as long as the owner exists and the page is visible. For data that
 * has no event stream.
 *
 * @param first a response that has come in another way, until the first of these
 */
export function createRepeatedRequest<T extends object>(
  load: (signal: AbortSignal) => Promise<T>,
  delayMs: (value: T) => number,
  first?: T,
): RepeatedRequest<T> {
  const [value, setValue] = createSignal(first, { equals: areEqual })
  const [error, setError] = createSignal<ApiError | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = new AbortController()

  async function poll() {
    const { signal } = running
    try {
      const loaded = await load(signal)
      if (signal.aborted) return
      setValue(() => loaded)
      setError(null)
      schedule(delayMs(loaded))
    } catch (cause) {
      if (signal.aborted) return
      const apiError = toApiError(cause)
      setError(apiError)
      schedule(apiError.code === 'UNREACHABLE' ? UNREACHABLE_RETRY_MS : ERROR_RETRY_MS)
    }
  }

  function schedule(ms: number) {
    if (!document.hidden) timer = setTimeout(poll, ms)
  }

  function stop() {
    clearTimeout(timer)
    running.abort(STOPPED)
    running = new AbortController()
  }

  function refresh() {
    stop()
    void poll()
  }

  async function stopFor(remove: () => Promise<void>) {
    stop()
    try {
      await remove()
    } catch (error) {
      refresh()
      throw error
    }
  }

  function onVisibilityChange() {
    if (document.hidden) stop()
    else refresh()
  }

  onMount(() => {
    refresh()
    document.addEventListener('visibilitychange', onVisibilityChange)
  })
  onCleanup(() => {
    stop()
    document.removeEventListener('visibilitychange', onVisibilityChange)
  })

  return { value, error, refresh, stopFor }
}

/** Both are parsed JSON, whose members the service always gives in the same order. */
function areEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The delay before the next attempt when the service could not be reached. */
const UNREACHABLE_RETRY_MS = 2_000
/** The delay before the next attempt when the service answered with an error. */
const ERROR_RETRY_MS = 10_000
