import X from 'lucide-solid/icons/x'
import { createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { baseCopy } from '../language/english/base.ts'
import { announce } from './announcer.tsx'
import { Button, IconButton } from './button.tsx'
import type { Message } from './message.ts'
import { MessageText } from './message-text.tsx'
import styles from './toasts.module.css'

export interface Toast {
  readonly text: Message
  /** Undoes the action that the toast reports. */
  readonly undo?: () => void
  /** Something else that the toast offers. */
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Called when the toast closes without undo. */
  readonly onClose?: () => void
}

const [toasts, setToasts] = createSignal<readonly Toast[]>([])

/** Shows a message at the bottom of the screen for some seconds. Screen readers announce its text, but not its buttons. */
export function showToast(toast: Toast): void {
  announce(toast.text)
  setToasts((toasts) => [...toasts, toast])
}

function removeToast(toast: Toast): void {
  setToasts((toasts) => toasts.filter((other) => other !== toast))
}

/** Closes all toasts, without undo. */
export function closeToasts(): void {
  for (const toast of toasts()) closeToast(toast)
}

function closeToast(toast: Toast): void {
  removeToast(toast)
  toast.onClose?.()
}

/** The container for toasts. Must be rendered once per page. */
export function Toasts() {
  return (
    // Works above a dialog, and does not close it.
    <section aria-label={baseCopy.notifications} data-kb-top-layer="">
      <ul class={styles.list}>
        <For each={toasts()}>{(toast) => <ToastItem toast={toast} />}</For>
      </ul>
    </section>
  )
}

function ToastItem(props: { toast: Toast }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const close = () => closeToast(props.toast)
  const undo = () => {
    removeToast(props.toast)
    props.toast.undo?.()
  }
  const stopTimer = () => clearTimeout(timer)
  const startTimer = () => {
    stopTimer()
    timer = setTimeout(close, TOAST_MS)
  }
  onMount(startTimer)
  onCleanup(stopTimer)
  return (
    <li
      class={styles.toast}
      onPointerEnter={stopTimer}
      onPointerLeave={startTimer}
      onFocusIn={stopTimer}
      onFocusOut={startTimer}
    >
      <p class={styles.text}>
        <MessageText message={props.toast.text} />
      </p>
      <Show when={props.toast.undo}>
        <Button variant="ghost" onClick={undo}>
          {baseCopy.undo}
        </Button>
      </Show>
      <Show when={props.toast.action}>
        {(action) => (
          <Button
            variant="ghost"
            onClick={() => {
              close()
              action().run()
            }}
          >
            {action().label}
          </Button>
        )}
      </Show>
      <IconButton label={baseCopy.dismiss} onClick={close}>
        <X size={18} aria-hidden="true" />
      </IconButton>
    </li>
  )
}

/** Long enough to read the text and reach "Undo". Hovering over or focusing a toast stops its timer. */
const TOAST_MS = 7_000
