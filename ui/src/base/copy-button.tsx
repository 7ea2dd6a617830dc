import Check from 'lucide-solid/icons/check'
import Copy from 'lucide-solid/icons/copy'
import { createSignal, onCleanup, Show } from 'solid-js'
import { announce } from './announcer.tsx'
import { Button, type ButtonStyleProps } from './button.tsx'
import { copyText } from './clipboard.ts'

const CONFIRM_MS = 2_000

/** A button that copies text to the clipboard and briefly shows a tick. */
export function CopyButton(props: ButtonStyleProps & { label: string; text: () => string }) {
  const [copied, setCopied] = createSignal(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))

  async function copy() {
    await copyText(props.text())
    announce('Copied')
    setCopied(true)
    clearTimeout(timer)
    timer = setTimeout(() => setCopied(false), CONFIRM_MS)
  }

  return (
    <Button variant={props.variant} size={props.size} onClick={copy}>
      <Show when={copied()} fallback={<Copy size={18} aria-hidden="true" />}>
        <Check size={18} aria-hidden="true" />
      </Show>
      {props.label}
    </Button>
  )
}
