import { createSignal, onCleanup, onMount } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { ApiError } from './request.ts'

/** How soon to look again when the service did not answer. */
const UNREACHABLE_PAUSE_MS = 2_000
/** How soon to look again when it refused. */
const REFUSED_PAUSE_MS = 10_000

export interface Polling<T> {
  /** The newest answer, undefined until the first: a store, in which only what differs changes. */
  value(): T | undefined
  /** Why the last attempt failed, null when it did not. */
  error(): ApiError | null
  /** Looks at once. */
  refresh(): void
}

/**
 * Keeps an answer of the service up to date while its owner lives and the page is visible: asks again `pauseMs` after
 * each answer. For what has no stream of its own.
 */
export function createPolling<T extends object>(
  load: (signal: AbortSignal) => Promise<T>,
  pauseMs: (value: T) => number,
): Polling<T> {
  const [state, setState] = createStore<{ value?: T }>({})
  const [error, setError] = createSignal<ApiError | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = new AbortController()

  async function look() {
    const { signal } = running
    try {
      const value = await load(signal)
      if (signal.aborted) return
      setState('value', reconcile<T | undefined, T | undefined>(value))
      setError(null)
      schedule(pauseMs(value))
    } catch (cause) {
      if (signal.aborted) return
      const refusal = cause instanceof ApiError ? cause : new ApiError('UNREADABLE', String(cause))
      setError(refusal)
      schedule(refusal.code === 'UNREACHABLE' ? UNREACHABLE_PAUSE_MS : REFUSED_PAUSE_MS)
    }
  }

  function schedule(ms: number) {
    if (!document.hidden) timer = setTimeout(look, ms)
  }

  function stop() {
    clearTimeout(timer)
    running.abort()
    running = new AbortController()
  }

  function refresh() {
    stop()
    void look()
  }

  function followVisibility() {
    if (document.hidden) stop()
    else refresh()
  }

  onMount(() => {
    refresh()
    document.addEventListener('visibilitychange', followVisibility)
  })
  onCleanup(() => {
    stop()
    document.removeEventListener('visibilitychange', followVisibility)
  })

  return { value: () => state.value, error, refresh }
}
