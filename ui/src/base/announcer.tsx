import { createSignal, For } from 'solid-js'

const [messages, setMessages] = createSignal<readonly { readonly text: string }[]>([])

let waiting: { readonly text: string }[] = []

/** Makes screen readers announce a change that others can see. The same text can be announced several times. */
export function announce(text: string): void {
  // Changes of the same moment are announced together, so that none replaces another.
  if (waiting.push({ text }) > 1) return
  queueMicrotask(() => {
    setMessages(waiting)
    waiting = []
  })
}

/** Screen readers announce what is added to it. Must be rendered once per page. */
export function Announcer() {
  return (
    // Dialogs hide the rest of the page from screen readers, but not what has this attribute.
    <div class="visually-hidden" role="status" aria-live="polite" data-live-announcer="true">
      <For each={messages()}>{({ text }) => <p>{text}</p>}</For>
    </div>
  )
}
