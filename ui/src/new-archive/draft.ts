import { createEffect, createRoot, createSignal, on } from 'solid-js'
import { sessionExpired, sessionKey } from '../session/session.ts'

const [draft, setDraft] = createSignal('')

/** The text of the link box. It survives navigation between pages, and other pages can set it. */
export { draft, setDraft }

// Signing out clears the draft, so that the next user doesn't see it. A key that expired or was revoked keeps the draft.
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
