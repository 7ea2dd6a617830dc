import X from 'lucide-solid/icons/x'
import { createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { Button, IconButton } from './button.tsx'
import styles from './toasts.module.css'

/** Long enough to read and to reach for "Undo"; pointing at a toast or focusing it holds it. */
const TOAST_MS = 7_000

export interface Toast {
  readonly text: string
  /** Takes back what the toast tells of. */
  readonly undo?: () => void
  /** The toast has gone and nothing was taken back. */
  readonly onGone?: () => void
}

const [toasts, setToasts] = createSignal<readonly Toast[]>([])

/** Says something at the foot of the screen for some seconds. */
export function showToast(toast: Toast): void {
  setToasts((toasts) => [...toasts, toast])
}

function dropToast(toast: Toast): void {
  setToasts((toasts) => toasts.filter((other) => other !== toast))
}

/** Where toasts appear; once in the page, at its foot. */
export function Toasts() {
  return (
    <section class={styles.toasts} aria-label="Notifications">
      <For each={toasts()}>{(toast) => <ToastBox toast={toast} />}</For>
    </section>
  )
}

function ToastBox(props: { toast: Toast }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    dropToast(props.toast)
    props.toast.onGone?.()
  }
  const takeBack = () => {
    dropToast(props.toast)
    props.toast.undo?.()
  }
  const hold = () => clearTimeout(timer)
  const release = () => {
    hold()
    timer = setTimeout(leave, TOAST_MS)
  }
  onMount(release)
  onCleanup(hold)
  return (
    <div
      role="status"
      class={styles.toast}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
    >
      <p class={styles.text}>{props.toast.text}</p>
      <Show when={props.toast.undo}>
        <Button variant="ghost" onClick={takeBack}>
          Undo
        </Button>
      </Show>
      <IconButton label="Dismiss" onClick={leave}>
        <X size={18} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
