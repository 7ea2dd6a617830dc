import { createSignal } from 'solid-js'

const [isLost, setLost] = createSignal(false)

/** Whether the service answered the last time that it was asked. */
export const connection = {
  isLost,
  lost: () => setLost(true),
  works: () => setLost(false),
}
