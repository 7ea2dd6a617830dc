import { createEffect, createRoot, createSignal, on } from 'solid-js'
import { sessionExpired, sessionKey } from '../session/session.ts'

const [draft, setDraft] = createSignal('')

/** The text of the box of links: it stays while other pages are looked at, and other pages may fill it. */
export { draft, setDraft }

// Whoever signs out leaves nothing to the next; a key that ran out does not cost what was typed.
createRoot(() =>
  createEffect(
    on(
      sessionKey,
      (key) => {
        if (key === null && !sessionExpired()) setDraft('')
      },
      { defer: true },
    ),
  ),
)
