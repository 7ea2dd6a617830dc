import { createSignal } from 'solid-js'

const [draft, setDraft] = createSignal('')

/** The text of the box of links: it stays while other pages are looked at, and other pages may fill it. */
export { draft, setDraft }
