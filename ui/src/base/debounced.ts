import { createEffect, createSignal, on, onCleanup } from 'solid-js'

/** Lets the browser draw a typed character before thousands of lines are parsed again. */
const DEBOUNCE_MS = 120

/** Returns a signal that takes on a value once the value has not changed for 120 ms. */
export function createDebounced<T>(value: () => T): () => T {
  const [debounced, setDebounced] = createSignal(value())
  createEffect(
    on(
      value,
      (value) => {
        const timer = setTimeout(() => setDebounced(() => value), DEBOUNCE_MS)
        onCleanup(() => clearTimeout(timer))
      },
      { defer: true },
    ),
  )
  return debounced
}
