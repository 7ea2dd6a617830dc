import { type Accessor, createSignal, onCleanup } from 'solid-js'

const [now, setNow] = createSignal(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The time in milliseconds, renewed each second while a component that asked for it lives. */
export function useNow(): Accessor<number> {
  if (watchers++ === 0) {
    setNow(Date.now())
    timer = setInterval(() => setNow(Date.now()), 1000)
  }
  onCleanup(() => {
    if (--watchers === 0) clearInterval(timer)
  })
  return now
}
