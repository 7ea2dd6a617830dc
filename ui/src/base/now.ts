import { createSignal } from 'solid-js'

const [nowMs, setNowMs] = createSignal(Date.now())
setInterval(() => setNowMs(Date.now()), 10_000)

/** The time, for what is said relative to it; moves on by itself. */
export { nowMs }
