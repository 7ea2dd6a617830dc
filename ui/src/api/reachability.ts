import { createSignal } from 'solid-js'

const [reachable, setReachable] = createSignal(true)

/** Whether the service responds. Every request, and every event stream that breaks or falls silent, updates it. */
export { reachable, setReachable }
