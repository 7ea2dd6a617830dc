import Check from 'lucide-solid/icons/check'
import Copy from 'lucide-solid/icons/copy'
import { createSignal, onCleanup, Show } from 'solid-js'
import { baseCopy } from '../language/english/base.ts'
import { announce } from './announcer.tsx'
import { Button, type ButtonStyleProps } from './button.tsx'
import { copyText } from './clipboard.ts'
import { showToast } from './toasts.tsx'

export interface CopyButtonProps extends ButtonStyleProps {
  label: string
  text: () => string
  /** Called when the text has been copied. */
  onCopied?: () => void
  /** Called when the browser refuses to copy, instead of a message. */
  onRefused?: () => void
}

/** A button that copies text to the clipboard and briefly shows a tick. */
export function CopyButton(props: CopyButtonProps) {
  const [copied, setCopied] = createSignal(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))

  async function copy() {
    if (!(await copyText(props.text()))) {
      if (props.onRefused) props.onRefused()
      else showToast({ text: baseCopy.copyRefused })
      return
    }
    announce(baseCopy.copied)
    props.onCopied?.()
    setCopied(true)
    clearTimeout(timer)
    timer = setTimeout(() => setCopied(false), CONFIRM_MS)
  }

  return (
    <Button variant={props.variant} size={props.size} onClick={copy}>
      <Show when={copied()} fallback={<Copy size={18} aria-hidden="true" />}>
        <Check size={18} aria-hidden="true" />
      </Show>
      <span data-label="">{props.label}</span>
    </Button>
  )
}

/** Long enough to see the tick. */
const CONFIRM_MS = 2_000
