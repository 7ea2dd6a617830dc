import { createSignal } from 'solid-js'

const [message, setMessage] = createSignal('')

/** Has screen readers say something that is seen otherwise. */
export { setMessage as announce }

export function Announcer() {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {message()}
    </p>
  )
}
