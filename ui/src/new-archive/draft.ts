import { createEffect, createRoot, createSignal, on } from 'solid-js'
import { sessionExpired, sessionKey } from '../session/session.ts'

const [draft, setDraft] = createSignal('')

/** The text of the link box. It survives navigation between pages, and other pages can set it. */
export { draft, setDraft }

// Signing out clears the draft, so that the next user doesn't see it. If the service refused the key, the draft is kept.
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
