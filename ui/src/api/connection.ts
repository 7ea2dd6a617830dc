import { createSignal } from 'solid-js'

const [reachable, setReachable] = createSignal(true)

/** Whether the last request got an answer from the service; every request renews it. */
export { reachable, setReachable }
