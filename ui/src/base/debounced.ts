import { createEffect, createSignal, on, onCleanup } from 'solid-js'

/** So that a key is drawn before thousands of lines are read anew. */
const DEBOUNCE_MS = 120

/** Follows a value once it has stayed the same for a moment. */
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
