import { type Accessor, createSignal, onCleanup } from 'solid-js'

const [now, setNow] = createSignal(Date.now())
let users = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The current time in milliseconds since the epoch, updated every second while a component uses it. */
export function useNow(): Accessor<number> {
  if (users++ === 0) {
    setNow(Date.now())
    timer = setInterval(() => setNow(Date.now()), 1000)
  }
  onCleanup(() => {
    if (--users === 0) clearInterval(timer)
  })
  return now
}
