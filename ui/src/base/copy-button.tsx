import Check from 'lucide-solid/icons/check'
import Copy from 'lucide-solid/icons/copy'
import { createSignal, onCleanup, Show } from 'solid-js'
import { announce } from './announce.tsx'

/** Copies a text and says so for a moment. */
export function CopyButton(props: { label: string; text: string; class?: string }) {
  const [isDone, setDone] = createSignal(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const copy = async () => {
    await navigator.clipboard.writeText(props.text)
    announce('Copied')
    setDone(true)
    clearTimeout(timer)
    timer = setTimeout(() => setDone(false), SHOWN_MS)
  }
  return (
    <button type="button" class={`button ${props.class ?? ''}`} onClick={() => void copy()}>
      <Show when={isDone()} fallback={<Copy aria-hidden="true" />}>
        <Check aria-hidden="true" />
      </Show>
      {props.label}
    </button>
  )
}

const SHOWN_MS = 2000
