import { createEffect, createSignal, on, onCleanup } from 'solid-js'

/** So that a key is drawn before thousands of lines are read anew. */
const SETTLE_MS = 120

/** Follows a value once it has stayed the same for a moment. */
export function createSettled<T>(value: () => T): () => T {
  const [settled, setSettled] = createSignal(value())
  createEffect(
    on(
      value,
      (value) => {
        const timer = setTimeout(() => setSettled(() => value), SETTLE_MS)
        onCleanup(() => clearTimeout(timer))
      },
      { defer: true },
    ),
  )
  return settled
}
