import { createSignal, For } from 'solid-js'
import type { Message } from './message.ts'
import { MessageText } from './message-text.tsx'

const [messages, setMessages] = createSignal<readonly { readonly text: Message }[]>([])

let waiting: { readonly text: Message }[] = []

/** Makes screen readers announce a change that others can see. The same text can be announced several times. */
export function announce(text: Message): void {
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
      <For each={messages()}>
        {({ text }) => (
          <p>
            <MessageText message={text} />
          </p>
        )}
      </For>
    </div>
  )
}
