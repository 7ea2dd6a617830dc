import { createSignal } from 'solid-js'

const [reachable, setReachable] = createSignal(true)

/** Whether the last request reached the service. Every request updates it. */
export { reachable, setReachable }
