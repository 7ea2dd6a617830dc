import { createSignal } from 'solid-js'

const [message, setMessage] = createSignal('')

/** Makes screen readers announce a change that others can see. */
export { setMessage as announce }

export function Announcer() {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {message()}
    </p>
  )
}
