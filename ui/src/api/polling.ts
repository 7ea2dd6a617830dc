import { createComputed } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { createRepeatedRequest, type RepeatedRequest } from './repeated-request.ts'

/** A repeated request whose `value` is a store: only the parts that differ change, so that the rows of a list stay. */
export type Polling<T> = RepeatedRequest<T>

/** A request that is repeated `delayMs` after each response. */
export function createPolling<T extends object>(
  load: (signal: AbortSignal) => Promise<T>,
  delayMs: (value: T) => number,
): Polling<T> {
  const request = createRepeatedRequest(load, delayMs)
  const [state, setState] = createStore<{ value?: T }>({})
  createComputed(() => {
    const value = request.value()
    if (value !== undefined) setState('value', reconcile<T | undefined, T | undefined>(value))
  })
  return { ...request, value: () => state.value }
}
