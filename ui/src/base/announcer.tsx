import { createSignal, For } from 'solid-js'

const [messages, setMessages] = createSignal<readonly { readonly text: string }[]>([])

let next: { readonly text: string }[] = []

/** Makes screen readers announce a change that others can see. The same text can be announced several times. */
export function announce(text: string): void {
  // Together with other changes of the same moment, none of which may replace another.
  if (next.push({ text }) > 1) return
  queueMicrotask(() => {
    setMessages(next)
    next = []
  })
}

/** Screen readers announce what is added to it. Must be rendered once per page. */
export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      <For each={messages()}>{({ text }) => <p>{text}</p>}</For>
    </div>
  )
}
