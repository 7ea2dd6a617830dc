import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'
import { ConnectionLost } from '../api/request.ts'

/** Something of the service's that is asked for again and again. */
export interface Polled<Value> {
  /** The last answer; undefined before the first. */
  readonly value: Accessor<Value | undefined>
  /** Why there is no answer yet; a lost connection is not a reason, it heals. */
  readonly error: Accessor<Error | undefined>
  /** Asks at once. */
  refresh(): Promise<void>
}

/**
 * Keeps a value fresh for as long as its owner lives: each second while `isBusy` says that it is changing and the
 * page is seen, slowly otherwise. The one place that knows how changes come to the page.
 */
export function createPolled<Value>(
  load: () => Promise<Value>,
  isBusy: (value: Value) => boolean,
): Polled<Value> {
  const [value, setValue] = createSignal<Value>()
  const [error, setError] = createSignal<Error>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDisposed = false
  let lastAsked = 0

  const refresh = async () => {
    clearTimeout(timer)
    const asked = ++lastAsked
    let delayMs = IDLE_MS
    try {
      const next = await load()
      if (isDisposed || asked !== lastAsked) return
      setValue(() => next)
      setError(undefined)
      if (isBusy(next) && document.visibilityState === 'visible') delayMs = BUSY_MS
    } catch (problem) {
      if (isDisposed || asked !== lastAsked) return
      if (problem instanceof ConnectionLost) delayMs = LOST_MS
      else setError(problem instanceof Error ? problem : new Error(String(problem)))
    }
    timer = setTimeout(refresh, delayMs)
  }

  const onVisible = () => {
    if (document.visibilityState === 'visible') void refresh()
  }
  onMount(() => {
    void refresh()
    document.addEventListener('visibilitychange', onVisible)
  })
  onCleanup(() => {
    isDisposed = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
  })
  return { value, error, refresh }
}

const BUSY_MS = 1000
const IDLE_MS = 10_000
/** Soon enough that a restarted service is noticed, seldom enough not to be a nuisance. */
const LOST_MS = 2000
