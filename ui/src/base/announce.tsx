import { createSignal } from 'solid-js'

const [message, setMessage] = createSignal('')

/** Says something to who can't see it happen. */
export const announce = setMessage

/** The place that screen readers listen to. */
export function Announcer() {
  return (
    <div class="sr-only" role="status" aria-live="polite">
      {message()}
    </div>
  )
}
